module example.org/pelican

go 1.22
