require "teal/settings"

module Teal
  def self.settings
    @settings ||= Settings.new
  end
end
