module example.org/buoy/tools

go 1.24
