package config

import "os"

// Config is what the server runs with.
type Config struct {
	Listen string
	LogDir string
}

func get(name, fallback string) string {
	if value, ok := os.LookupEnv(name); ok {
		return value
	}
	return fallback
}

// Load reads the environment.
func Load() Config {
	return Config{
		Listen: get("ESTUARY_LISTEN", ":8080"),
		LogDir: get("ESTUARY_LOG_DIR", "/var/log/estuary"),
	}
}
