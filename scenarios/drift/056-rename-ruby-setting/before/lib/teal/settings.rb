module Teal
  class Settings
    attr_accessor :session_secret_key, :static_folder

    def initialize
      @session_secret_key = nil
      @static_folder = "public"
    end
  end
end
