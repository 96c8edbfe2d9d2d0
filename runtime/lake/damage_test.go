package lake_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/parquet-go/parquet-go"
)

// sound files, ours and others', flat and nested, with and without checksums.
func soundFiles(t testing.TB) map[string][]byte {
	files := map[string][]byte{"connect scalars": fixture(t, "b2_0"), "connect lists": fixture(t, "b4_0"), "connect customers": fixture(t, "a2_0")}
	rows := sample(300)
	for _, codec := range []string{"none", "snappy", "gzip", "zstd"} {
		s := *customers.Table.Schema
		s.Codec = codec
		var out bytes.Buffer
		writeRows(t, lake.NewWriter(&s, lake.WriterOptions{RowGroupRows: 200}), bridge.NewPage(&s), &out, rows)
		files["ours "+codec] = out.Bytes()
	}
	files["parquet-go"] = write(t, peers(rows), parquet.Compression(&parquet.Zstd), parquet.PageBufferSize(500))
	qty := int32(4)
	files["nested"] = write(t, []order{{1, []item{{"a", &qty}, {"b", nil}}}, {2, nil}, {3, []item{}}}, parquet.PageBufferSize(1))
	return files
}

func schemaOf(name string) *bridge.Schema {
	switch name {
	case "connect scalars":
		return flat(leaf("f_int", bridge.Int32, "", 1), leaf("f_string", bridge.Bytes, "string", 1), leaf("f_boolean", bridge.Bool, "", 1),
			leaf("f_double", bridge.Double, "", 1), leaf("f_dec10_2", bridge.Bytes, "decimal(10,2)", 1), leaf("f_fixed", bridge.Bytes, "", 1))
	case "connect lists", "nested":
		return orderSchema()
	case "connect customers":
		return connectCustomers()
	}
	return customers.Table.Schema
}

// readDamaged reads all that can be read. It must end, without a panic and without much
// memory, whatever the bytes are.
func readDamaged(t testing.TB, name string, b []byte) ([][]string, error) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s := schemaOf(name)
	got, err := dumpBytes(s, b, nil)
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
		t.Errorf("%s: %d MiB of memory for a file of %d KiB", name, used>>20, len(b)>>10)
	}
	if err != nil && !strings.HasPrefix(err.Error(), "file.parquet: ") {
		t.Errorf("%s: an error that does not begin with the file's name: %v", name, err)
	}
	return got, err
}

func TestFlippedBits(t *testing.T) {
	for name, sound := range soundFiles(t) {
		random := rand.New(rand.NewPCG(1, uint64(len(name))))
		want, wantErr := readDamaged(t, name, sound)
		if (wantErr == nil) != (name != "connect lists") {
			t.Fatal(name, wantErr)
		}
		unseen := 0
		for range 250 {
			b := slices.Clone(sound)
			at := random.IntN(len(b) * 8)
			if random.IntN(2) == 0 { // half of them in the footer, where most harm is done
				at = (len(b) - 1 - random.IntN(min(len(b), 2500))) * 8
			}
			b[at/8] ^= 1 << (at % 8)
			got, err := readDamaged(t, name, b)
			if err == nil && at < 8*len(b)/4 && strings.HasPrefix(name, "ours") && !equalCells(got, want) {
				unseen++
			}
		}
		if unseen > 0 {
			t.Errorf("%s: %d flips in pages changed values unnoticed", name, unseen)
		}
	}
}

func equalCells(a, b [][]string) bool {
	return slices.EqualFunc(a, b, func(x, y []string) bool { return slices.Equal(x, y) })
}

func TestCutFiles(t *testing.T) {
	for name, sound := range soundFiles(t) {
		for n := 0; n < len(sound); n += 1 + len(sound)/300 {
			_, err := readDamaged(t, name, sound[:n])
			wantError(t, err, "file.parquet: not a readable Parquet file: ")
		}
		_, err := readDamaged(t, name, append(slices.Clone(sound), 0))
		wantError(t, err, "not a readable Parquet file")
	}
	_, _, err := lake.ReadMeta(strings.NewReader("no Parquet at all"), 17, "notes.txt")
	wantError(t, err, "notes.txt: not a readable Parquet file")
}

// Several bytes at once, also in files without checksums.
func TestGarbledFiles(t *testing.T) {
	for name, sound := range soundFiles(t) {
		random := rand.New(rand.NewPCG(2, uint64(len(name))))
		for range 150 {
			b := slices.Clone(sound)
			for range 1 + random.IntN(12) {
				b[random.IntN(len(b))] = byte(random.Uint32())
			}
			_, _ = readDamaged(t, name, b)
		}
	}
}

type failingSource struct{ io.ReaderAt }

func (failingSource) ReadAt([]byte, int64) (int, error) { return 0, io.ErrClosedPipe }

// A source that fails is no damaged file.
func TestFailingSource(t *testing.T) {
	_, err := lake.OpenFile(customers.Table.Schema, failingSource{}, 1000, "s3://lake/x")
	wantError(t, err, "s3://lake/x: reading it: ", io.ErrClosedPipe.Error())
	if strings.Contains(err.Error(), "not a readable") {
		t.Error(err)
	}
}

func FuzzOpenFile(f *testing.F) {
	for _, b := range soundFiles(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		_, rows, err := lake.ReadMeta(bytes.NewReader(b), int64(len(b)), "file.parquet")
		if err != nil || rows > 1<<20 { // a few bytes can honestly stand for many rows
			return
		}
		for _, name := range []string{"ours", "nested", "connect scalars"} {
			_, _ = dumpBytes(schemaOf(name), b, nil)
		}
		if n, err := foreignRows(b); err == nil && n != rows {
			t.Errorf("%d rows, the footer says %d", n, rows)
		}
	})
}

// foreignRows counts the rows of a file that is read as its writer described it.
func foreignRows(b []byte) (n int64, err error) {
	file, _, err := lake.OpenForeign(bytes.NewReader(b), int64(len(b)), "file.parquet")
	if err != nil {
		return 0, err
	}
	pages := file.Pages(nil)
	defer pages.Close()
	for {
		page, err := pages.Next()
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		n += int64(page.N)
	}
}

func TestForeignRowsOfSoundFiles(t *testing.T) {
	for name, sound := range soundFiles(t) {
		_, want, err := lake.ReadMeta(bytes.NewReader(sound), int64(len(sound)), name)
		if n, foreignErr := foreignRows(sound); err != nil || foreignErr != nil || n != want || n == 0 {
			t.Errorf("%s: %d rows of %d, %v, %v", name, n, want, err, foreignErr)
		}
	}
}
