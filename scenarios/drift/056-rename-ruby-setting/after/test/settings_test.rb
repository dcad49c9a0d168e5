require "teal"

Teal.settings.session_signing_key = "x"
