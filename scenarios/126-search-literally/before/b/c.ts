a x.y(z)
