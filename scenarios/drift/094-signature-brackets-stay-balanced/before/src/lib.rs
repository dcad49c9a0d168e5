use std::time::Duration;

pub struct TimeoutLayer(Duration);

impl TimeoutLayer {
    pub fn new(timeout: Duration) -> Self {
        Self(timeout)
    }
}

pub struct Router;

impl Router {
    pub fn layer(self, _layer: TimeoutLayer) -> Self {
        self
    }
}

pub fn default_router() -> Router {
    Router.layer(TimeoutLayer::new(Duration::from_secs(10)))
}
