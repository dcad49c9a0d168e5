module example.org/heron

go 1.22
