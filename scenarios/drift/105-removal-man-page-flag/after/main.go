package main

import "flag"

func main() {
	quiet := flag.Bool("quiet", false, "print no header")
	flag.Parse()
	run(*quiet)
}
