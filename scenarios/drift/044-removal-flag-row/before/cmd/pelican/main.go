package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func main() {
	var verbose, dryRun, insecureRegistry bool
	command := &cobra.Command{
		Use: "pelican",
		Run: func(_ *cobra.Command, _ []string) {
			fmt.Println(verbose, dryRun, insecureRegistry)
		},
	}
	command.Flags().BoolVar(&verbose, "verbose", false, "print every step")
	command.Flags().BoolVar(&dryRun, "dry-run", false, "change nothing")
	command.Flags().BoolVar(&insecureRegistry, "insecure-registry", false, "accept any certificate")
	_ = command.Execute()
}
