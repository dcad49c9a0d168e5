pub fn ruff() {}
