package expr

import "encoding/json"

// MarshalJSON is the source: what an expression is known by in the hash of a model.
func (e *Expr) MarshalJSON() ([]byte, error) { return json.Marshal(e.Source()) }
