x.y(z)
xAy(z)
