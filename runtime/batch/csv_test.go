package batch

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// splitAll splits text and shows quoted cells in brackets.
func splitAll(src io.Reader, blank bool) (records []string, err error) {
	c := newCSVScanner(src, "")
	c.blank = blank
	for {
		f, err := c.next()
		if err == io.EOF {
			return records, nil
		}
		if err != nil {
			return records, err
		}
		var shown []string
		for _, field := range c.fields {
			if field.quoted {
				shown = append(shown, fmt.Sprintf("[%s]", field.text))
			} else {
				shown = append(shown, string(field.text))
			}
		}
		record := fmt.Sprintf("%d: %s", c.line, strings.Join(shown, "|"))
		if f.reason != "" {
			record = fmt.Sprintf("%d: field %d %s: %s", c.line, f.field, strings.Fields(f.reason)[0], c.raw)
		}
		records = append(records, record)
	}
}

func TestCSVSplits(t *testing.T) {
	for _, test := range []struct {
		name, in string
		want     []string
	}{
		{"plain", "a,b\n1,2\n", []string{"1: a|b", "2: 1|2"}},
		{"no line end at the end", "a,b\n1,2", []string{"1: a|b", "2: 1|2"}},
		{"CRLF", "a,b\r\n1,2\r\n", []string{"1: a|b", "2: 1|2"}},
		{"CR at the end", "a,b\n1,2\r", []string{"1: a|b", "2: 1|2"}},
		{"empty fields", ",\n,,\n", []string{"1: |", "2: ||"}},
		{"quoted is not unquoted", `"",` + "\n", []string{"1: []|"}},
		{"comma and line breaks in quotes", "\"a,b\",\"c\nd\"\nx,y\n", []string{"1: [a,b]|[c\nd]", "3: x|y"}},
		{"CRLF in quotes stays", "\"a\r\nb\",c\r\n", []string{"1: [a\r\nb]|c"}},
		{"CR in quotes stays", "\"a\rb\",c\n", []string{"1: [a\rb]|c"}},
		{"doubled quotes", `"a""b","""","c"""` + "\n", []string{`1: [a"b]|["]|[c"]`}},
		{"blank lines are nothing", "a,b\n\n\r\n1,2\n\n", []string{"1: a|b", "4: 1|2"}},
		{"blanks are text", " a , b \n", []string{"1:  a | b "}},
		{"blank before a quote", ` "a"` + "\n1\n", []string{`1: field 1 holds:  "a"`, "2: 1"}},
		{"bare quote", "1,a\"b\n2,c\n", []string{`1: field 2 holds: 1,a"b`, "2: 2|c"}},
		{"text after the quote", "1,\"a\"b\n2,c\n", []string{`1: field 2 goes: 1,"a"b`, "2: 2|c"}},
		{"bare CR", "1,a\rb\n2,c\n", []string{"1: field 2 holds: 1,a\rb", "2: 2|c"}},
		{"NUL", "1,a\x00b\n2,c\n", []string{"1: field 2 holds: 1,a\x00b", "2: 2|c"}},
		{"NUL in quotes", "1,\"a\x00b\"\n2,c\n", []string{"1: field 2 holds: 1,\"a\x00b\"", "2: 2|c"}},
		{"NUL before a line break in quotes", "\"a\x00b\",\"c\nd\"\n2,c\n", []string{"1: field 1 holds: \"a\x00b\",\"c\nd\"", "3: 2|c"}},
		{"NUL outside quotes before such", "a\x00b,\"c\nd\",\x00\n2,c\n", []string{"1: field 1 holds: a\x00b,\"c\nd\",\x00", "3: 2|c"}},
		{"NUL beside quotes", "\x00\"a\nb\"\x00,c\n2,c\n", []string{"1: field 1 holds: \x00\"a\nb\"\x00,c", "3: 2|c"}},
		{"NUL at the end", "1,c\x00", []string{"1: field 2 holds: 1,c\x00"}},
		{"NUL, then a bare quote", "\x00,a\"b\n2,c\n", []string{"1: field 1 holds: \x00,a\"b", "2: 2|c"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, src := range []io.Reader{strings.NewReader(test.in), iotest.OneByteReader(strings.NewReader(test.in)), iotest.DataErrReader(strings.NewReader(test.in))} {
				got, err := splitAll(src, false)
				if err != nil || strings.Join(got, "\n") != strings.Join(test.want, "\n") {
					t.Fatalf("got %q, %v; want %q", got, err, test.want)
				}
			}
		})
	}
}

// With one column an empty line is a row.
func TestCSVBlankLines(t *testing.T) {
	got, err := splitAll(strings.NewReader("a\n\nb\n"), true)
	if want := "1: a,2: ,3: b"; err != nil || strings.Join(got, ",") != want {
		t.Fatalf("got %q, %v; want %q", got, err, want)
	}
}

func TestCSVBrokenOff(t *testing.T) {
	long := strings.Repeat("x", maxField+1)
	for _, test := range []struct{ name, in, want string }{
		{"never closed", "a\n1,\"b\nc\n", "line 2, field 2: " + reasonUnterminated},
		{"never closed behind a NUL", "a\n\x00,\"b\nc\n", "line 2, field 2: " + reasonUnterminated},
		{"long field", "a\n1," + long + "\n", "line 2, field 2: " + reasonLongField},
		{"long quoted field", "a\n1,\"" + long + "\"\n", "line 2, field 2: " + reasonLongField},
		{"long field that never ends", "a\n1,2,\"" + long + long, "line 2, field 3: " + reasonLongField},
		{"long record", "a\n" + strings.Repeat(long[2:]+",", 5), "line 2, field 0: " + reasonLongRecord},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := splitAll(strings.NewReader(test.in), false)
			if err == nil || err.Error() != test.want {
				t.Fatalf("got %v, want %s", err, test.want)
			}
		})
	}
	if _, err := splitAll(strings.NewReader(long[1:]+"\n"), false); err != nil {
		t.Errorf("a field of 16 MiB: %v", err)
	}
	failing := io.MultiReader(strings.NewReader("a,b\n1"), iotest.ErrReader(errors.New("disk")))
	if _, err := splitAll(failing, false); err == nil || err.Error() != "disk" {
		t.Errorf("got %v, want the reader's error", err)
	}
}

// FuzzCSV compares with encoding/csv wherever the two must agree: it takes a lone CR
// and NUL, which we refuse, and makes LF of CRLF in quotes.
func FuzzCSV(f *testing.F) {
	for _, seed := range []string{"a,b\n1,2\n", "\"a\"\"b\",\"c\r\nd\"\r\n,,\r\n", "\"\n\"", "\"a\"b\n", "a\"b\nc,d", ",\"\"\n\n\n\"x\"", "\"\"\"\"", "\"a\",\"b", "a,b\r"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		lf := bytes.ReplaceAll(in, []byte("\r\n"), []byte("\n"))
		if bytes.IndexByte(in, 0) >= 0 || bytes.ContainsRune(bytes.TrimSuffix(lf, []byte("\r")), '\r') {
			// No panic, and an end.
			_, _ = splitAll(bytes.NewReader(in), false)
			return
		}
		theirs := csv.NewReader(bytes.NewReader(in))
		theirs.FieldsPerRecord = -1
		want, wantErr := theirs.ReadAll()
		c := newCSVScanner(iotest.HalfReader(bytes.NewReader(in)), "")
		for n := 0; ; n++ {
			fault, err := c.next()
			if err == io.EOF {
				if wantErr != nil || n != len(want) {
					t.Fatalf("%q: %d records and the end, encoding/csv has %q, %v", in, n, want, wantErr)
				}
				return
			}
			if err != nil || fault.reason != "" {
				if wantErr == nil {
					t.Fatalf("%q: record %d: %v %v, encoding/csv has %q", in, n, fault, err, want)
				}
				return
			}
			if wantErr != nil && n >= len(want) {
				continue // it stops at the first error and drops what came before it in ReadAll
			}
			var got []string
			for _, field := range c.fields {
				got = append(got, strings.ReplaceAll(string(field.text), "\r\n", "\n"))
			}
			if wantErr == nil && strings.Join(got, "\x01") != strings.Join(want[n], "\x01") {
				t.Fatalf("%q: record %d is %q, encoding/csv has %q", in, n, got, want[n])
			}
		}
	})
}
