/// Why a text is no location, and where.
public struct LocationError: Error, Hashable, Sendable {
  /// What is wrong at the offset.
  public enum Reason: Hashable, Sendable {
    /// The text does not begin with a scheme and a colon.
    case missingScheme
    /// A scheme other than `http` and `https`, as written.
    case unsupportedScheme(String)
    /// Nothing stands where the host should, or no `//` before it.
    case missingHost
    /// A name or password before the host: it would end up in cassettes, so it has no place in a location.
    case userInfo
    /// A byte no host may have; names outside ASCII have to be written in their `xn--` form.
    case hostByte(UInt8)
    /// `[` without an IPv6 address and `]` behind it.
    case malformedAddress
    /// Not a number from 1 to 65535.
    case malformedPort
    /// White space or a control byte; anything else is kept as it is.
    case forbiddenByte(UInt8)
  }

  public var reason: Reason
  /// Where the mistake begins, in bytes of the text.
  public var offset: Int

  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension LocationError: CustomStringConvertible {
  public var description: String {
    let sentence =
      switch reason {
      case .missingScheme: "a location begins with http:// or https://"
      case .unsupportedScheme(let scheme): "the scheme \(scheme) is neither http nor https"
      case .missingHost: "the location has no host"
      case .userInfo: "a location carries no user name or password"
      case .hostByte(let byte): "byte 0x\(hex(byte)) cannot be part of a host"
      case .malformedAddress: "an IPv6 address stands between [ and ]"
      case .malformedPort: "the port is not a number from 1 to 65535"
      case .forbiddenByte(let byte): "byte 0x\(hex(byte)) has to be percent-encoded"
      }
    return "\(sentence) (byte \(offset))"
  }

  private func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
