module example.org/razorbill

go 1.22
