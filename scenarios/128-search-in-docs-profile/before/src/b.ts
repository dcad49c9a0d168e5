alpha
