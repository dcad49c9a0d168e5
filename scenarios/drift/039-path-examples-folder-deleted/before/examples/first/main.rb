require "skua"

Skua.run
