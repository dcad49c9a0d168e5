package cmd

import "github.com/spf13/cobra"

// Options of the program.
type Options struct {
	Address         string
	MaxIdleConns    int
	DialTimeout     string
	Token           string
}

// NewCommand builds the root command.
func NewCommand(options *Options) *cobra.Command {
	command := &cobra.Command{Use: "razorbill"}
	flags := command.Flags()
	flags.StringVar(&options.Address, "address", "", "address of the server")
	flags.IntVar(&options.MaxIdleConns, "max-idle-conns", 10, "idle connections to keep")
	flags.StringVar(&options.DialTimeout, "dial-timeout", "5s", "time to wait for a connection")
	flags.StringVar(&options.Token, "token", "", "token to send")
	return command
}
