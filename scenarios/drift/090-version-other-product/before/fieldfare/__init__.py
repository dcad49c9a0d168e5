NAME = "fieldfare"
