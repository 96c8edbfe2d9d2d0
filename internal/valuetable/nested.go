package valuetable

import (
	"fmt"
	"strings"

	"github.com/bridgegen/bridgegen/internal/valuetable/generated/values"
	bridge "github.com/bridgegen/bridgegen/runtime"
)

// nested are values that hold several others, or none.
func nested(b *builder) {
	b.add("all null", "", "", "", "", nil, func(*v) {})
	var list []int64
	var items []string
	for i := range int64(10_000) {
		list, items = append(list, i-5000), append(items, fmt.Sprint(i-5000))
	}
	long := "[" + strings.Join(items, ",") + "]"
	b.add("list of 10,000", "l_long", long, long, "", nil, func(r *v) { r.LLong = list })
	text := func(name, column, cell string, set func(*v)) { b.add(name, column, cell, cell, "", nil, set) }
	text("list in order", "l_string", `["b","a","b",""]`, func(r *v) { r.LString = []string{"b", "a", "b", ""} })
	text("list with blanks", "l_int", " [ 1 , 2 ] ", func(r *v) { r.LInt = []int32{1, 2} })
	text("empty map", "m_long", "{}", func(r *v) { r.MLong = map[string]int64{} })
	text("odd keys", "m_string", `{"":"1","a b":"2","\"":"3","😀":"4","\u00e9":"5","k.v":"6"}`, func(r *v) {
		r.MString = map[string]string{"": "1", "a b": "2", `"`: "3", "😀": "4", "é": "5", "k.v": "6"}
	})
	text("struct of nulls", "s", "{}", func(r *v) { r.S = bridge.Some(values.ValuesS{}) })
	text("explicit nulls", "s", `{"f_int":null,"deep":null}`, func(r *v) { r.S = bridge.Some(values.ValuesS{}) })
	text("several fields", "s", `{"f_string":"x","f_int":1,"f_bytes":""}`, func(r *v) {
		r.S = bridge.Some(values.ValuesS{FString: bridge.Some("x"), FInt: bridge.Some(int32(1)), FBytes: []byte{}})
	})
	text("empty deep", "s", `{"deep":[]}`, func(r *v) { r.S = bridge.Some(values.ValuesS{Deep: []values.ValuesSDeep{}}) })
	text("deep", "s", `{"deep":[{},{"inner":{}},{"inner":{"a":{"n":1},"b":{"n":-9223372036854775808,"t":""}}}]}`, func(r *v) {
		r.S = bridge.Some(values.ValuesS{Deep: []values.ValuesSDeep{{}, {Inner: map[string]values.ValuesSDeepInner{}},
			{Inner: map[string]values.ValuesSDeepInner{"a": {N: 1}, "b": {N: -9223372036854775808, T: bridge.Some("")}}}}})
	})
}
