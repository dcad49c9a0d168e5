package main

import "flag"

func main() {
	reverse := flag.Bool("deepest-first", false, "print the deepest sounding first")
	quiet := flag.Bool("quiet", false, "print no header")
	flag.Parse()
	run(*reverse, *quiet)
}
