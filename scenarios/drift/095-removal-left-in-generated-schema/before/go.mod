module example.org/packhorse

go 1.22
