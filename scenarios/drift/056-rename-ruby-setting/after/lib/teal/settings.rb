module Teal
  class Settings
    attr_accessor :session_signing_key, :static_folder

    def initialize
      @session_signing_key = nil
      @static_folder = "public"
    end
  end
end
