package expr

import "github.com/bridgegen/bridgegen/spec/types"

// VectorColumns are the columns that the vectors of Operators and Syntax read. Those
// that begin with o are optional.
var VectorColumns = []Var{
	{Name: "b", Type: types.Boolean},
	{Name: "i", Type: types.Int},
	{Name: "n", Type: types.Long},
	{Name: "m", Type: types.Long},
	{Name: "f", Type: types.Float},
	{Name: "d", Type: types.Double},
	{Name: "amount", Type: types.Decimal, Precision: 10, Scale: 2},
	{Name: "price", Type: types.Decimal, Precision: 38, Scale: 2},
	{Name: "s", Type: types.String},
	{Name: "t", Type: types.String},
	{Name: "raw", Type: types.Bytes},
	{Name: "day", Type: types.Date},
	{Name: "at", Type: types.Timestamp},
	{Name: "u", Type: types.UUID},
	{Name: "status", Type: types.Enum, Symbols: []string{"active", "banned"}, GoType: "Status"},
	{Name: "tags", Type: types.List},
	{Name: "attrs", Type: types.Map},
	{Name: "on", Type: types.Long, Optional: true},
	{Name: "oi", Type: types.Int, Optional: true},
	{Name: "os", Type: types.String, Optional: true},
	{Name: "oraw", Type: types.Bytes, Optional: true},
	{Name: "otags", Type: types.List, Optional: true},
	{Name: "ostatus", Type: types.Enum, Symbols: []string{"active", "banned"}, GoType: "Ostatus", Optional: true},
}

// Vectors are all vectors of Operators and Syntax, in their order.
func Vectors() []Vector {
	var all []Vector
	for _, o := range Operators {
		all = append(all, o.Vectors...)
	}
	for _, s := range Syntax {
		all = append(all, s.Vectors...)
	}
	return all
}
