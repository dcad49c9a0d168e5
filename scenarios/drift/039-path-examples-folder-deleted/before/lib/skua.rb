module Skua
  def self.run
  end

  def self.stop
  end
end
