package valuetable_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/internal/valuetable/generated/values"
)

// logical fails unless hamba/avro reads the logical types as what they stand for.
func logical(t *testing.T, where string, generic map[string]any, want *values.Values) {
	t.Helper()
	if at, ok := generic["r_timestamp"].(time.Time); !ok || at.UnixMilli() != int64(want.RTimestamp) {
		t.Errorf("%s: r_timestamp is %v", where, generic["r_timestamp"])
	}
	if day, ok := generic["r_date"].(time.Time); !ok || day.Unix() != int64(want.RDate)*86400 {
		t.Errorf("%s: r_date is %v", where, generic["r_date"])
	}
	exact, _ := new(big.Rat).SetString(want.RDecimal.String())
	if amount, ok := generic["r_decimal"].(*big.Rat); !ok || amount.Cmp(exact) != 0 {
		t.Errorf("%s: r_decimal is %v", where, generic["r_decimal"])
	}
	if generic["r_enum"] != string(want.REnum) || generic["r_uuid"] != want.RUUID.String() || generic["r_string"] != want.RString {
		t.Errorf("%s: %v, %v, %v", where, generic["r_enum"], generic["r_uuid"], generic["r_string"])
	}
}
