module example.org/estuary

go 1.22
