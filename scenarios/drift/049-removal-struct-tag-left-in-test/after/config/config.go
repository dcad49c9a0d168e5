package config

// Config is the file heron.yaml.
type Config struct {
	Address   string `yaml:"address"`
	Retries   int    `yaml:"retries"`
}
