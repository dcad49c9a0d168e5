package tidewatch

import "strings"

// FileName returns the file of a harbour.
func FileName(harbour string) string {
	return strings.ReplaceAll(harbour, " ", "_")
}

// Title returns the title of a harbour.
func Title(harbour string) string {
	return strings.ReplaceAll(harbour, "_", " ")
}
