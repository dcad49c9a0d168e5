package buoy

// Depth tells the depth.
func Depth() int { return 3 }
