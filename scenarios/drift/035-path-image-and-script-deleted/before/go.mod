module example.org/fulmar

go 1.22
