import LaunchHTTP

/// A body that stands in a file of its own, in the folder of its cassette's bodies.
struct BodyFile {
  let name: String
  let digest: String

  /// Names by call and content, so that a new recording never writes over what an old cassette refers to.
  init(_ content: [UInt8], of call: Int, isRequest: Bool) {
    digest = MD5.hexDigest(of: content)
    name = (isRequest ? "\(call).request-" : "\(call)-") + digest.prefix(16)
  }

  /// Whether a text is the plain name of a file, and leads nowhere else.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && !text.hasPrefix(".") && text.utf8.count <= 255
      && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\") }
  }

  /// The folder of a cassette's bodies: that of the cassette which a cut recording would have become.
  static func folder(ofCassette path: String) -> String { cassettePath(path) + ".bodies" }

  /// A cassette's path without the ending of a cut recording: `.part`, or `.1.part` of one that was moved aside.
  private static func cassettePath(_ path: String) -> String {
    guard path.hasSuffix(".part") else { return path }
    let rest = path.dropLast(".part".count)
    guard let dot = rest.utf8.lastIndex(of: UInt8(ascii: ".")) else { return String(rest) }
    let number = rest[dot...].utf8.dropFirst()
    return String(!number.isEmpty && number.allSatisfy { 0x30...0x39 ~= $0 } ? rest[..<dot] : rest)
  }
}
