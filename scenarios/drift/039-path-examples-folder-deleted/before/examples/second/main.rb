require "skua"

Skua.stop
