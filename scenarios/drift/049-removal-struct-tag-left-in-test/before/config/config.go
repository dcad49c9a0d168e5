package config

// Config is the file heron.yaml.
type Config struct {
	Address   string `yaml:"address"`
	BatchSize int    `yaml:"batch_size"`
	Retries   int    `yaml:"retries"`
}
