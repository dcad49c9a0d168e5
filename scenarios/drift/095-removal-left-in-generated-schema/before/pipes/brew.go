package pipes

// BrewPipe publishes to a tap.
type BrewPipe struct{}

// Publish writes the formula.
func (BrewPipe) Publish() error { return nil }
