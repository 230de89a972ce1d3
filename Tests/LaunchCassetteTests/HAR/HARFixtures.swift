@testable import LaunchCassette
import LaunchFile
import LaunchJSON
import Testing

/// The files of `Tests/Fixtures/har`, each with the shape of one exporter.
enum HARFixtures {
  static let folder = parentFolder(of: parentFolder(of: parentFolder(of: #filePath))) + "/Fixtures/har"

  static let names = [
    "browsermob.har", "charles.har", "chrome.har", "firefox.har", "insomnia.har", "mitmproxy.har", "pairs.har",
    "playwright.zip", "polly.har", "proxyman.har", "safari.har", "version13.har",
  ]

  static func bytes(_ name: String) throws -> [UInt8] { try readFile("\(folder)/\(name)") }

  static func cassette(_ name: String) throws -> Cassette {
    try Cassette(har: bytes(name), path: name, inflate: inflateStoredBlocks)
  }

  /// The file's JSON with its repairs of syntax, as the importer sees it.
  static func root(_ name: String) throws -> JSON {
    var bytes = try bytes(name)
    if ZipArchive.isZip(bytes) {
      bytes = try #require(try ZipArchive(bytes).content(of: "har.har", inflate: inflateStoredBlocks))
    }
    return try HARSource(bytes, path: name).root
  }
}

/// Undoes deflate as far as it consists of stored blocks (RFC 1951 section 3.2.4), which is all that the fixtures have.
func inflateStoredBlocks(_ bytes: [UInt8]) -> [UInt8]? {
  var result: [UInt8] = []
  var rest = bytes[...]
  while rest.count >= 5 {
    let block = Array(rest.prefix(5))
    let length = Int(block[1]) | Int(block[2]) << 8
    guard block[0] & 6 == 0, rest.count >= 5 + length else { return nil }
    result += rest.dropFirst(5).prefix(length)
    rest = rest.dropFirst(5 + length)
    if block[0] & 1 == 1 { return rest.isEmpty ? result : nil }
  }
  return nil
}
