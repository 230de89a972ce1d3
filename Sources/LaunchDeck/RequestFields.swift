import LaunchHTTP

/// What is compared of a request, as a flat list of places and values, ignored ones left out.
///
/// Two requests are equal for a replay when they have the same fields, in any order. A JSON object or array is a field of
/// its own beside what it holds, so that an empty one counts. A second value under one name is at a place of its own,
/// `query.tag#2`.
package struct RequestFields: Sendable {
  enum Kind: UInt8, Sendable {
    /// A word of the protocol: the method, the origin.
    case word
    case text, number
    /// `true`, `false` or `null`.
    case literal
    /// What kind of a container stands there.
    case container
    /// Bytes that are no text, by their number and fingerprint.
    case digest
  }

  struct Field: Sendable {
    var kind: Kind
    /// `query.idfa`, `body.tags.mmp_id`; in `bytes`.
    var place: Range<Int>
    var value: Range<Int>
    var placeFingerprint: Fingerprint
    /// Of place, kind and value.
    var fingerprint: Fingerprint
  }

  /// Of all fields together: the sum of theirs, so that a field can be exchanged for another.
  var fingerprint = Fingerprint.zero
  /// How many fields there are, listed or not.
  var count = 0
  /// How many segments the path has.
  var segmentCount = 0
  /// Empty unless they are listed, which the fingerprint does not need.
  var fields: [Field] = []
  /// Places and values, those of one field behind each other.
  var bytes: [UInt8] = []

  func place(of field: Field) -> String { String(decoding: bytes[field.place], as: UTF8.self) }

  /// The value as a message shows it: texts in quotes.
  func printed(_ field: Field) -> String {
    let text = String(decoding: bytes[field.value], as: UTF8.self)
    return field.kind == .text ? "\"\(text)\"" : text
  }
}

extension Matching {
  typealias Decode = @Sendable (_ body: [UInt8], _ coding: String) -> [UInt8]?
}

extension Location {
  /// Scheme, host and port; without the port where it is the scheme's own.
  var origin: String {
    let usual = scheme == "https" ? 443 : 80
    return port == nil || port == usual ? "\(scheme)://\(host)" : "\(scheme)://\(authority)"
  }

  /// Equal where `origin` is.
  var originFingerprint: Fingerprint {
    Fingerprint(effectivePort, at: Fingerprint(scheme)).followed(by: Fingerprint(host), occurrence: 1)
  }
}
