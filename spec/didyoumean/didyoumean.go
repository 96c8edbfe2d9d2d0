// Package didyoumean finds the word that somebody most likely meant.
package didyoumean

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Nearest is the legal word that the writer of word most likely meant: its synonym,
// else the one at the least edit distance; empty if none is near. Synonyms are by
// their lower case.
func Nearest(word string, legal []string, synonyms map[string]string) string {
	lower := strings.ToLower(word)
	if s, ok := synonyms[lower]; ok && (legal == nil || slices.Contains(legal, s)) {
		return s
	}
	best, distance := "", 1+min(2, utf8.RuneCountInString(word)/3)
	for _, l := range legal {
		if d := editDistance(lower, strings.ToLower(l)); d < distance {
			best, distance = l, d
		}
	}
	return best
}

// Hint ends a message about an unknown word; it is empty for an empty word.
func Hint(word string) string {
	if word == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", word)
}

// editDistance counts insertions, deletions, replacements and swaps of neighbours that
// make b of a (optimal string alignment). Words over 64 bytes are near to nothing.
func editDistance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	var before, last, row [65]int
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
