module example.org/nightingale

go 1.21
