package main

import "fmt"

func main() {
	services := 3
	fmt.Println("started", services)
}
