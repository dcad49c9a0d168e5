package pipes

// GoFishPipe publishes to the GoFish index.
type GoFishPipe struct{}

// Publish writes the food file.
func (GoFishPipe) Publish() error { return nil }
