import LaunchCassette
import LaunchCodings
import LaunchReport

extension Files {
  /// The cassette or HAR at `path`, told apart by name and first bytes; warnings go to stderr.
  static func cassetteOrHAR(at path: String) throws(Failure) -> Cassette {
    do throws(CassetteError) {
      let cassette = try Cassette(file: path, inflate: inflate)
      for warning in cassette.warnings { Console.complain("\(warning)".printable) }
      return cassette
    } catch {
      throw Failure(message: "\(error)")
    }
  }

  /// Undoes raw deflate, for the members of a zip file; nil when it cannot.
  private static func inflate(_ bytes: [UInt8]) -> [UInt8]? {
    guard let decoder = ContentDecoder(encoding: "deflate"), let content = try? decoder.decode(bytes),
      (try? decoder.finish()) != nil
    else { return nil }
    return content
  }
}
