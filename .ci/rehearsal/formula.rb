# formula.rb FORMULA RELEASES DIRECTORY: installs a Homebrew formula of the release without Homebrew: downloads the archive of this
# platform from RELEASES instead of GitHub, compares its checksum, unpacks it, and runs `install`.
require "digest"
require "fileutils"
require "net/http"

FORMULA, RELEASES, OUT = ARGV

# A directory of the installed files.
class Place
  def initialize(path) = @path = path

  def install(names, *)
    names = names.to_h if names.is_a?(Hash)
    FileUtils.mkdir_p(@path)
    (names.is_a?(Hash) ? names.to_a : Array(names).map { |name| [name, File.basename(name)] }).each { |from, to| FileUtils.cp(from, File.join(@path, to)) }
  end
end

class Formula
  class << self
    attr_reader :address, :checksum

    %i[desc homepage license test].each { |name| define_method(name) { |*, &block| } }
    def on_linux = yield
    def on_macos = nil
    def on_intel = RUBY_PLATFORM.start_with?("x86_64") ? yield : nil
    def on_arm = RUBY_PLATFORM.start_with?("aarch64") ? yield : nil
    def url(text) = @address = text
    def sha256(text) = @checksum = text
  end

  %w[bin man1 bash_completion zsh_completion fish_completion pwsh_completion].each { |name| define_method(name) { Place.new(File.join(OUT, name)) } }
end

load FORMULA
archive = Net::HTTP.get(URI(Skilltree.address.sub(%r{\Ahttps://github\.com/[^/]+/[^/]+/releases/download}, RELEASES)))
abort "the checksum of #{Skilltree.address} is not the one in the formula" unless Digest::SHA256.hexdigest(archive) == Skilltree.checksum
FileUtils.mkdir_p(File.join(OUT, "unpacked"))
IO.popen(["tar", "-xz", "--strip-components=1", "-C", File.join(OUT, "unpacked")], "wb") { |tar| tar.write(archive) }
Dir.chdir(File.join(OUT, "unpacked")) { Skilltree.new.install }
