package tidewatch

import "strings"

// FileName returns the file of a harbour.
func FileName(harbour string) string {
	return strings.Replace(harbour, " ", "_", -1)
}

// Title returns the title of a harbour.
func Title(harbour string) string {
	return strings.Replace(harbour, "_", " ", -1)
}
