Gem::Specification.new do |spec|
  spec.name = "teal"
  spec.version = "1.0.0"
end
