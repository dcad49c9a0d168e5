module example.org/buoy

go 1.24
