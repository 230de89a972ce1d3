#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The client's end of a connection on this machine, which blocks.
struct LoopbackSocket: Sendable {
  let descriptor: Int32

  /// Connects.
  init(port: UInt16) throws {
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    descriptor = socket(AF_INET, kind, 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    place.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let code = unsafe withUnsafePointer(to: &place) { place in
      unsafe place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else {
      if descriptor >= 0 { close() }
      throw SocketError(message: "cannot connect to port \(port)")
    }
  }

  /// - Parameter address: `127.0.0.1:9001`
  init(address: String) throws {
    guard let port = address.split(separator: ":").last.flatMap({ UInt16($0) }) else {
      throw SocketError(message: "\(address) is no address")
    }
    try self.init(port: port)
  }

  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw SocketError(message: "the server takes nothing") }
      rest = rest.dropFirst(count)
    }
  }

  /// What there is to read, as soon as there is something; nothing when the server closed the connection.
  func receive() throws -> ArraySlice<UInt8> {
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    guard count >= 0 else { throw SocketError(message: "the server reset the connection") }
    return bytes.prefix(count)
  }

  func close() {
    #if canImport(Darwin)
      Darwin.close(descriptor)
    #else
      Glibc.close(descriptor)
    #endif
  }
}

struct SocketError: Error, CustomStringConvertible {
  var message: String
  var description: String { message }
}
