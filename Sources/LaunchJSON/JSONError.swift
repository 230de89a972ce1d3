/// The first place where a text is not JSON, or not the JSON that a reader asked for.
///
/// ```swift
/// do throws(JSONError) {
///   _ = try JSON(parsing: "[1,]")
/// } catch {
///   print(error)  // expected a value at byte 3
/// }
/// ```
public struct JSONError: Error, Hashable, Sendable {
  /// What is wrong there.
  public enum Reason: Hashable, Sendable {
    /// The input ends inside a value or before the first one.
    case endOfInput
    /// The input starts with EF BB BF, which RFC 8259 section 8.1 keeps out of JSON.
    case byteOrderMark
    /// The text is valid up to here, but something else must come next.
    case expected(Expected)
    /// Something other than white space follows the value.
    case trailingBytes
    /// A number such as `012`.
    case leadingZero
    /// A byte below 0x20 inside a string; only its escape may stand there.
    case controlCharacter
    /// A backslash that starts none of the escapes of RFC 8259 section 7.
    case escape
    /// A `\u` escape of one half of a surrogate pair; it stands for no character.
    case loneSurrogate
    /// Bytes inside a string that are not UTF-8: overlong, a surrogate, beyond U+10FFFF, or out of sequence.
    case invalidUTF8
    /// More than `JSONReader.depthLimit` arrays and objects inside each other.
    case depth
  }

  /// What would have been right; the raw value is how a message says it.
  public enum Expected: String, Hashable, Sendable {
    case value = "a value"
    case key = "a key"
    case colon = "':'"
    case commaOrBracket = "',' or ']'"
    case commaOrBrace = "',' or '}'"
    case digit = "a digit"
    case `true` = "'true'"
    case `false` = "'false'"
    case null = "'null'"
    case object = "an object"
    case array = "an array"
    case string = "a string"
    case integer = "an integer of at most 64 bits"
    case bool = "true or false"
  }

  /// The index of the byte in the input; the input's end where that ends too early.
  public var offset: Int
  public var reason: Reason

  public init(offset: Int, reason: Reason) {
    self.offset = offset
    self.reason = reason
  }
}

extension JSONError: CustomStringConvertible {
  /// One sentence with the offset, without a full stop.
  public var description: String { "\(reason) at byte \(offset)" }
}

extension JSONError.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .endOfInput: "the JSON text ends too early"
    case .byteOrderMark: "a JSON text must not start with a byte order mark"
    case .expected(let expected): "expected \(expected.rawValue)"
    case .trailingBytes: "something follows the JSON value"
    case .leadingZero: "a number must not start with a zero"
    case .controlCharacter: "a control character in a string must be escaped"
    case .escape: "invalid escape in a string"
    case .loneSurrogate: "an escaped surrogate without its other half"
    case .invalidUTF8: "invalid UTF-8 in a string"
    case .depth: "more than \(JSONReader.depthLimit) arrays and objects inside each other"
    }
  }
}
