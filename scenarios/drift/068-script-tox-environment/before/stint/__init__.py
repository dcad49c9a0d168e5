NAME = "stint"
