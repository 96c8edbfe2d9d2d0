package bridge

// UUID is a UUID in its binary form.
type UUID [16]byte

const hexDigits = "0123456789abcdef"

// String is the canonical form, in lower case.
func (u UUID) String() string { return string(AppendUUID(nil, u)) }

// AppendUUID appends the canonical form of u, 36 bytes in lower case.
func AppendUUID(b []byte, u UUID) []byte {
	for i, v := range u {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			b = append(b, '-')
		}
		b = append(b, hexDigits[v>>4], hexDigits[v&15])
	}
	return b
}

// ParseUUID reads the canonical form, in either case.
func ParseUUID(s []byte) (u UUID, ok bool) {
	if len(s) != 36 {
		return u, false
	}
	at := 0
	for i := range u {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			if s[at] != '-' {
				return UUID{}, false
			}
			at++
		}
		hi, lo := unhex(s[at]), unhex(s[at+1])
		if hi > 15 || lo > 15 {
			return UUID{}, false
		}
		u[i] = hi<<4 | lo
		at += 2
	}
	return u, true
}

func unhex(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10
	}
	return 255
}
