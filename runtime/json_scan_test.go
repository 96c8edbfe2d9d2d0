package bridge_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

func TestJSONObjects(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{`{}`, ""},
		{` { } `, ""},
		{`{"a":1,"b":-0.5e+10}`, "a=1 b=-0.5e+10"},
		{`{"n":9007199254740993}`, "n=9007199254740993"},
		{`{"a":null,"b":true,"c":false}`, "a=null b=true c=false"},
		{`{"a":"","b":"x\"\\\/\b\f\n\r\ty"}`, "a= b=x\"\\/\b\f\n\r\ty"},
		{`{"a":"\u00e9\uD83D\uDE00é😀"}`, "a=é😀é😀"},
		{`{"\u0061":1}`, "a=1"},
		{`{"a":[1, {"b":[]} ] , "c":{"d":"}"}}`, `a=[1, {"b":[]} ] c={"d":"}"}`},
	} {
		got, reason, at := scanObject(test.in)
		if got != test.want || reason != "" {
			t.Errorf("%s: got %q, %d: %s; want %q", test.in, got, at, reason, test.want)
		}
	}
}

func TestJSONRefusals(t *testing.T) {
	for _, test := range []struct {
		in   string
		at   int // from 0
		want string
	}{
		{``, 0, "the line ends where an object should stand (one whole object per line)"},
		{`[1]`, 0, "'[' stands where an object should"},
		{`{"a":1`, 6, "the line ends where a comma or } should stand (one whole object per line)"},
		{`{"a":1,}`, 7, "'}' stands where a key in quotes should"},
		{`{a:1}`, 1, "'a' stands where a key in quotes should"},
		{`{"a" 1}`, 5, "'1' stands where a colon should"},
		{`{"a":}`, 5, "'}' stands where a value should"},
		{`{"a":01}`, 6, "'1' stands where a comma or } should"},
		{`{"a":+1}`, 5, "'+' stands where a value should"},
		{`{"a":.5}`, 5, "'.' stands where a value should"},
		{`{"a":1.}`, 7, "'}' stands where a digit should"},
		{`{"a":NaN}`, 5, "'N' stands where a value should"},
		{`{"a":'x'}`, 5, "'\\'' stands where a value should"},
		{`{"a":"x`, 7, "the line ends inside a string (one whole object per line)"},
		{`{"a":"\x"}`, 6, `JSON knows no escape \x`},
		{`{"a":"\u12g4"}`, 6, `\u needs four hex digits`},
		{`{"a":"\ud83d"}`, 6, "the escape is half of a surrogate pair, which is no character"},
		{`{"a":"\ude00\ud83d"}`, 6, "the escape is half of a surrogate pair, which is no character"},
		{`{"a":"\u0000"}`, 6, "the string holds a NUL, which no text may"},
		{"{\"a\":\"\x01\"}", 6, "the string holds a control character; write it as an escape"},
		{"{\"a\":\"\xff\"}", 5, "the string is no valid UTF-8"},
		{`{"a":1} {"a":2}`, 8, "'{' stands where the end of the line should"},
		{`{"a":` + strings.Repeat("[", 65) + strings.Repeat("]", 65) + `}`, 5 + 64, "the value is nested deeper than 64"},
	} {
		_, reason, at := scanObject(test.in)
		if reason != test.want || at != test.at {
			t.Errorf("%s: got %d: %s; want %d: %s", test.in, at, reason, test.at, test.want)
		}
	}
}

// scanObject shows the members of an object, or why and where it is none.
func scanObject(in string) (members, reason string, at int) {
	s := bridge.JSONScanner{D: []byte(in), Line: true}
	var all []string
	ok := s.Object(func(_ int, key []byte) bool {
		_, text, ok := s.Value()
		all = append(all, string(key)+"="+string(text))
		return ok
	})
	if ok && s.I < len(s.D) {
		s.Unexpected("the end of the line")
	}
	if s.Reason != "" {
		return "", s.Reason, s.I
	}
	return strings.Join(all, " "), "", 0
}

// FuzzJSON: what we take, encoding/json takes with the same values; what it takes and we
// do not is one of the things that it would change silently.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{`{"a":1,"b":"x\u00e9","c":[1,{}],"d":{"e":null}}`, `{"a":-0.0e1}`, ` {"\ud83d\ude00":"😀"} `, `{"a":"\ud83d"}`, `{"a":1}x`, "{\"a\":\"\xff\"}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if bytes.ContainsAny(in, "\n") {
			return
		}
		got := map[string]json.RawMessage{}
		kinds := map[string]bridge.JSONToken{}
		s := bridge.JSONScanner{D: in, Line: true}
		ok := s.Object(func(_ int, key []byte) bool {
			kind, text, ok := s.Value()
			got[string(key)], kinds[string(key)] = bytes.Clone(text), kind
			return ok
		})
		ok = ok && s.I == len(in)
		want := map[string]json.RawMessage{}
		err := json.Unmarshal(in, &want)
		if ok && err != nil {
			t.Fatalf("%q: taken, but encoding/json says %v", in, err)
		}
		if !ok {
			strict := strings.Contains(s.Reason, "UTF-8") || strings.Contains(s.Reason, "surrogate") || strings.Contains(s.Reason, "NUL") || strings.Contains(s.Reason, "deeper")
			if err == nil && !strict && strings.TrimSpace(string(in)) != "null" {
				t.Fatalf("%q: refused at %d (%s), but encoding/json takes it", in, s.I, s.Reason)
			}
			return
		}
		if len(got) != len(want) {
			t.Fatalf("%q: keys %q, encoding/json has %q", in, got, want)
		}
		for key, text := range got {
			theirs := string(want[key])
			if kinds[key] == bridge.JSONString {
				if err := json.Unmarshal(want[key], &theirs); err != nil {
					t.Fatal(err)
				}
			}
			if string(text) != theirs {
				t.Fatalf("%q: key %q is %q, encoding/json has %q", in, key, text, theirs)
			}
		}
	})
}
