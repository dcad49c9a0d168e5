pub struct Gate;

impl Gate {
    pub fn open_layer(self) -> Self {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_layer() {
        let _ = Gate.open_layer();
    }
}
