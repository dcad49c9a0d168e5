module example.org/wheatear

go 1.22
