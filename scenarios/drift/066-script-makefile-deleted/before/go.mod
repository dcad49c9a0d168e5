module example.org/knot

go 1.22
