pub fn tides() {}
