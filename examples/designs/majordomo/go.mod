module example.com/majordomo

go 1.19
