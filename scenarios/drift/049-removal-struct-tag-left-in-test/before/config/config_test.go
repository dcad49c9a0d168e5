package config

import "testing"

func TestUnknownKey(t *testing.T) {
	for _, key := range []string{"batch_size"} {
		if key == "" {
			t.Fatal("empty")
		}
	}
}
