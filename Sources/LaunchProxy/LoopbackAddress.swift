/// A place to listen that only this machine can reach.
///
/// ```swift
/// try LoopbackAddress(parsing: "127.0.0.1:9001").portNumber  // 9001
/// try LoopbackAddress(parsing: "0.0.0.0:9001")               // throws: a replay is served on loopback only
/// ```
public struct LoopbackAddress: Hashable, Sendable {
  /// 0 stands for any free port.
  public let portNumber: Int

  /// A free port.
  public static let anyPort = LoopbackAddress(portNumber: 0)

  private init(portNumber: Int) { self.portNumber = portNumber }

  /// Reads `127.0.0.1:PORT` or `localhost:PORT`.
  /// - Throws: `ReplayServerError.notLoopback` for any other host, `malformedAddress` without a port from 0 to 65535.
  public init(parsing text: String) throws(ReplayServerError) {
    guard let colon = text.lastIndex(of: ":") else { throw .malformedAddress(text) }
    guard ["127.0.0.1", "localhost"].contains(text[..<colon]) else { throw .notLoopback(text) }
    let digits = text[text.index(after: colon)...]
    guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(digits), (0...65535).contains(number)
    else { throw .malformedAddress(text) }
    portNumber = number
  }

  /// Whether requests to `host` stay on this machine's IPv4 loopback interface.
  package static func isLoopback(_ host: String) -> Bool { host == "127.0.0.1" || host == "localhost" }
}
