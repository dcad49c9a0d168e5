// ANCHOR: tides
pub fn tides() {}
// ANCHOR_END: tides
