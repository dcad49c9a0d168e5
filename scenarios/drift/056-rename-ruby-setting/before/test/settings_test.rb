require "teal"

Teal.settings.session_secret_key = "x"
