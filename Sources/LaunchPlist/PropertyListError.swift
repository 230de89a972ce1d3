/// Why bytes are no property list: the first thing that is wrong.
public struct PropertyListError: Error, Hashable, Sendable {
  public enum Place: Hashable, Sendable {
    /// In an XML text; `sourceLine` is the line as written, its line break left out.
    case text(TextPlace, sourceLine: String)
    /// In a binary list, or in what is no list at all: counted from 0.
    case byte(Int)
  }

  public var place: Place
  /// One sentence without a full stop.
  public var message: String
}

extension PropertyListError: CustomStringConvertible {
  /// `12:3: <true> takes no text` or `byte 40: …`
  public var description: String {
    switch place {
    case .text(let place, _): "\(place): \(message)"
    case .byte(let offset): "byte \(offset): \(message)"
    }
  }
}
