package lake_test

import (
	"os"
	"path/filepath"
	"testing"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "connect", name+".parquet"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// leaf is a flat column; optional ones get the level stream of their number.
func flat(leaves ...bridge.Leaf) *bridge.Schema {
	s := &bridge.Schema{Table: "t", Record: "T", Codec: "snappy", Leaves: leaves, Sys: len(leaves)}
	for i := range leaves {
		l := &leaves[i]
		l.Levels = -1
		if l.MaxDef > 0 {
			l.Levels = s.NLevels
			s.NLevels++
		}
		l.Field = i
		s.Fields = append(s.Fields, bridge.Field{Name: l.Path[0], Type: typeWord(l), Optional: l.MaxDef > 0, Symbols: l.Values})
	}
	return s
}

func typeWord(l *bridge.Leaf) string {
	if l.Logical != "" && l.Kind != bridge.Code {
		return l.Logical
	}
	return map[bridge.Kind]string{bridge.Bool: "boolean", bridge.Int32: "int", bridge.Int64: "long", bridge.Float: "float",
		bridge.Double: "double", bridge.Bytes: "bytes", bridge.Code: "enum"}[l.Kind]
}

func leaf(name string, kind bridge.Kind, logical string, maxDef uint8, values ...string) bridge.Leaf {
	return bridge.Leaf{Path: []string{name}, Kind: kind, Logical: logical, MaxDef: maxDef, Values: values}
}

func connectCustomers() *bridge.Schema {
	return flat(
		leaf("id", bridge.Int64, "", 0),
		leaf("email", bridge.Bytes, "string", 1),
		leaf("status", bridge.Code, "string", 0, "active", "inactive", "banned", "suspended"),
		leaf("is_active", bridge.Bool, "", 1),
		leaf("created_at", bridge.Int64, "timestamp", 0),
		leaf("_source", bridge.Code, "string", 0, "batch", "streaming"),
		leaf("_ingested_at", bridge.Int64, "timestamp", 0),
	)
}

// What pyarrow reads of the same file; columns that the sink wrote as required are read
// as optional ones here.
func TestReadsCustomersOfTheSink(t *testing.T) {
	s := connectCustomers()
	wantCells(t, s, mustDump(t, s, fixture(t, "a2_0")), map[string]string{
		"id": "1 2 3", "email": `"user1@example.com" "user2@example.com" "user3@example.com"`,
		"status": "active banned suspended", "is_active": "true false false",
		"created_at": "1709256600124 1709256600125 1709256600126", "_source": "streaming streaming streaming",
		"_ingested_at": "1787140800000 1787140800000 1787141100250",
	})
	wantCells(t, s, mustDump(t, s, fixture(t, "none_0")), map[string]string{
		"id": "1 2 3", "email": `"user1@example.com" "user2@example.com" "user3@example.com"`,
	})
}

func TestReadsScalarsOfTheSink(t *testing.T) {
	s := flat(
		leaf("f_int", bridge.Int32, "", 1), leaf("f_long", bridge.Int64, "", 1), leaf("f_float", bridge.Float, "", 1),
		leaf("f_double", bridge.Double, "", 1), leaf("f_boolean", bridge.Bool, "", 1), leaf("f_string", bridge.Bytes, "string", 1),
		leaf("f_bytes", bridge.Bytes, "", 1), leaf("f_fixed", bridge.Bytes, "", 1), leaf("f_dec10_2", bridge.Bytes, "decimal(10,2)", 1),
		leaf("f_date", bridge.Int32, "date", 1), leaf("f_ts_millis", bridge.Int64, "timestamp", 1), leaf("f_uuid", bridge.Bytes, "string", 1),
		leaf("f_enum", bridge.Code, "string", 1, "RED", "GREEN"),
	)
	b := fixture(t, "b2_0")
	wantCells(t, s, mustDump(t, s, b), map[string]string{
		"f_int": "-7 2147483647 (0)", "f_long": "9007199254740993 -9223372036854775808 (0)",
		"f_float": "0x1.8p+00 0x1.99999ap-04 (0)", "f_double": "-0x1.2p+01 0x1.7e43c8800759cp+996 (0)", "f_boolean": "true false (0)",
		"f_string": `"ñandú €" "" (0)`, "f_bytes": `"\x00\x01\xff" "" (0)`, "f_fixed": `"\x01\x02\x03\x04" "\xff\xfe\xfd\xfc" (0)`,
		"f_dec10_2": `"\x12և" "\xff" (0)`, // 1234567 and -1
		"f_date":    "20319 -1 (0)", "f_ts_millis": "1787140800123 -1 (0)",
		"f_uuid": `"0190b5a0-6b1e-7cc3-98c4-dc0c0c07398f" "00000000-0000-0000-0000-000000000000" (0)`,
		"f_enum": "GREEN RED (0)",
	})
	required := flat(leaf("f_long", bridge.Int64, "", 0))
	_, err := dumpBytes(required, b, nil)
	wantError(t, err, "file.parquet", `"f_long"`, "row 3 is null", "not optional")
	required.Fields[0].HasDefault, required.Fields[0].Default = true, "12"
	wantCells(t, required, mustDump(t, required, b), map[string]string{"f_long": "9007199254740993 -9223372036854775808 12"})
	text := flat(leaf("f_string", bridge.Bytes, "string", 0))
	text.Fields[0].HasDefault, text.Fields[0].Default = true, "none"
	wantCells(t, text, mustDump(t, text, b), map[string]string{"f_string": `"ñandú €" "" "none"`})
}

// Microseconds, local times and the like come as bare numbers from the sink: to read
// them as milliseconds would be wrong by a factor, so they are refused.
func TestRefusesTypesThatDoNotFit(t *testing.T) {
	b := fixture(t, "b2_0")
	for _, c := range []struct {
		l    bridge.Leaf
		want string
	}{
		{leaf("f_ts_micros", bridge.Int64, "timestamp", 1), "the file holds INT64, the table timestamp"},
		{leaf("f_ts_millis", bridge.Int64, "", 1), "the file holds INT64 (TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS)), the table long"},
		{leaf("f_long", bridge.Int32, "", 1), "the file holds INT64, the table int"},
		{leaf("f_int", bridge.Int32, "date", 1), "the file holds INT32, the table date"},
		{leaf("f_date", bridge.Int32, "", 1), "the file holds INT32 (DATE), the table int"},
		{leaf("f_time_millis", bridge.Int32, "", 1), "TIME"},
		{leaf("f_double", bridge.Float, "", 1), "the file holds DOUBLE, the table float"},
		{leaf("f_string", bridge.Bytes, "", 1), "the file holds BYTE_ARRAY (STRING), the table bytes"},
		{leaf("f_dec10_2", bridge.Bytes, "decimal(9,2)", 1), "DECIMAL(10,2)"},
		{leaf("f_dec10_2", bridge.Bytes, "decimal(12,3)", 1), "DECIMAL(10,2)"},
		{leaf("f_fixed", bridge.Bytes, "string", 1), "FIXED_LEN_BYTE_ARRAY"},
		{leaf("nowhere", bridge.Bytes, "string", 0), "does not have it"},
	} {
		_, err := dumpBytes(flat(c.l), b, nil)
		wantError(t, err, "file.parquet", `"`+c.l.Path[0]+`"`, c.want)
	}
	_, err := dumpBytes(flat(leaf("p64", bridge.Bytes, "decimal(38,6)", 0)), fixture(t, "b8_0"), nil)
	wantError(t, err, "DECIMAL(64,6)")
	_, err = dumpBytes(connectCustomers(), fixture(t, "lz4raw_0"), nil)
	wantError(t, err, "LZ4_RAW", "snappy")
}

func TestWidensAndConverts(t *testing.T) {
	s := flat(leaf("id", bridge.Int64, "", 0))
	wantCells(t, s, mustDump(t, s, fixture(t, "d7_0")), map[string]string{"id": "1"})

	s = flat(leaf("f_int", bridge.Int64, "", 1), leaf("f_float", bridge.Double, "", 1))
	wantCells(t, s, mustDump(t, s, fixture(t, "b2_0")), map[string]string{"f_int": "-7 2147483647 (0)", "f_float": "0x1.8p+00 0x1.99999ap-04 (0)"})

	s = flat(leaf("d", bridge.Bytes, "decimal(18,4)", 0))
	b := fixture(t, "b9_0")
	f, err := dumpBytes(s, b, nil)
	if err != nil {
		t.Fatal(err)
	}
	// 123456789012345678 in 8 bytes
	wantCells(t, s, f, map[string]string{"d": `"\x01\xb6\x9bK\xa60\xf3N"`})

	s = flat(leaf("u16", bridge.Bytes, "string", 0))
	s.Fields[0].Type = "uuid"
	_, err = dumpBytes(s, fixture(t, "b14_0"), nil)
	if err != nil {
		t.Fatal(err)
	}
	wantCells(t, s, mustDump(t, s, fixture(t, "b14_0")), map[string]string{"u16": `"01010101-0101-0101-0101-010101010101"`})
}

func TestColumnsAddedLater(t *testing.T) {
	s := flat(leaf("id", bridge.Int64, "", 0), leaf("tier", bridge.Bytes, "string", 0), leaf("phone", bridge.Bytes, "string", 1))
	s.Fields[1].HasDefault, s.Fields[1].Default = true, "basic"
	wantCells(t, s, mustDump(t, s, fixture(t, "d8_0")), map[string]string{"tier": `"a" "gold" "b"`, "phone": "(0) (0) (0)"})
	wantCells(t, s, mustDump(t, s, fixture(t, "a2_0")), map[string]string{"id": "1 2 3", "tier": `"basic" "basic" "basic"`, "phone": "(0) (0) (0)"})
	s.Fields[1].HasDefault = false
	_, err := dumpBytes(s, fixture(t, "a2_0"), nil)
	wantError(t, err, "file.parquet", `"tier"`, "does not have it", "default")
}

func TestRefusesUnknownSymbols(t *testing.T) {
	s := flat(leaf("status", bridge.Code, "string", 0, "active", "inactive"))
	_, err := dumpBytes(s, fixture(t, "a2_0"), nil)
	wantError(t, err, "file.parquet", `"status"`, "row 2", `"banned"`, "active, inactive")
}

// Level by level what pyarrow shows: [1,2,3] and []; ["x",null,"y"] and [], which a table
// of bridgegen cannot hold; and so on.
func TestReadsListsOfTheSink(t *testing.T) {
	node := func(name string, rep uint8, logical string, leaf int, children ...bridge.Node) bridge.Node {
		return bridge.Node{Name: name, Rep: rep, Logical: logical, Leaf: leaf, Children: children}
	}
	// Named otherwise than in the file, and all of it optional: lists go by place.
	list := func(name string, leaf int, logical string) bridge.Node {
		return node(name, 1, "list", -1, node("bag", 2, "", -1, node("item", 1, logical, leaf)))
	}
	s := &bridge.Schema{Table: "t", Record: "T", NLevels: 4, Sys: 4,
		Leaves: []bridge.Leaf{
			{Path: []string{"a_int", "bag", "item"}, Kind: bridge.Int32, MaxDef: 3, MaxRep: 1, Levels: 0, Field: 0},
			{Path: []string{"a_nstr", "bag", "item"}, Kind: bridge.Bytes, Logical: "string", MaxDef: 3, MaxRep: 1, Levels: 1, Field: 1},
			{Path: []string{"o_arr", "bag", "item"}, Kind: bridge.Int64, MaxDef: 3, MaxRep: 1, Levels: 2, Field: 2},
			{Path: []string{"absent", "bag", "item"}, Kind: bridge.Int64, MaxDef: 3, MaxRep: 1, Levels: 3, Field: 3},
		},
		Fields: []bridge.Field{{Name: "a_int", Optional: true}, {Name: "a_nstr", Optional: true}, {Name: "o_arr", Optional: true}, {Name: "absent", Optional: true}},
		Root:   []bridge.Node{list("a_int", 0, ""), list("a_nstr", 1, "string"), list("o_arr", 2, ""), list("absent", 3, "")},
	}
	b := fixture(t, "b4_0")
	got, err := dumpBytes(s, b, []int{0, 3})
	if err != nil {
		t.Fatal(err)
	}
	wantCells(t, s, got, map[string]string{"a_int.bag.item": "1 1:2 1:3 (1)", "absent.bag.item": "(0) (0)"})
	for i, name := range []string{1: "a_nstr", 2: "o_arr"} {
		if name != "" {
			_, err = dumpBytes(s, b, []int{i})
			wantError(t, err, "file.parquet", name, "an element of a list is null")
		}
	}
	s.Root[1].Children[0].Children[0].Rep = 0
	s.Leaves[1].MaxDef = 2
	_, err = dumpBytes(s, b, []int{1})
	wantError(t, err, `"a_nstr.bag.item"`, "null inside")
	scalar := flat(leaf("a_int", bridge.Int32, "", 1))
	_, err = dumpBytes(scalar, b, nil)
	wantError(t, err, `"a_int"`, "nests it in another way")
}
