/// Why a server could not start.
public enum ServerError: Error, Hashable, Sendable {
  /// A port outside 0...65535.
  case portOutOfRange(Int)
  /// The system's reason, such as a port in use.
  case cannotListen(port: Int, reason: String)
  /// No thread or pipe was to be had.
  case outOfResources(reason: String)
}

extension ServerError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .portOutOfRange(let port): "port \(port) is not between 0 and 65535"
    case .cannotListen(let port, let reason): "cannot listen on 127.0.0.1:\(port): \(reason)"
    case .outOfResources(let reason): "cannot start the server's thread: \(reason)"
    }
  }
}
