/// The places at which some recorded requests hold pseudonyms; requests with one template differ in the rest alone.
///
/// A request is projected through it: the values in its holes are taken out, and the fingerprint of the rest is looked up.
/// So one lookup finds every recorded request that fits, however many there are.
struct Template: Hashable, Sendable {
  struct Place: Hashable, Sendable {
    /// The fingerprint of the place's text.
    var place: Fingerprint
    var kind: RequestFields.Kind
    var pattern: Pattern
  }

  /// Requests that differ in this have no template in common; it keeps a request from being tried with all of them.
  struct Shape: Hashable, Sendable {
    var segmentCount: Int
    var fieldCount: Int

    init(_ fields: RequestFields) {
      segmentCount = fields.segmentCount
      fieldCount = fields.count
    }
  }

  let shape: Shape
  /// In an order of their own, since members of JSON come in any.
  let places: [Place]

  /// How many pseudonyms it has.
  var holeCount: Int { places.reduce(0) { $0 + $1.pattern.holes.count } }

  /// The template of a recorded request, the pseudonyms in it, and the fingerprint of the rest; nil without pseudonyms.
  static func of(_ fields: RequestFields, _ pseudonyms: Pseudonyms) -> (Template, ids: [Int], rest: Fingerprint)? {
    var found: [(place: Place, ids: [Int])] = []
    var rest = fields.fingerprint
    for field in fields.fields where field.kind.holdsPseudonyms {
      guard let (pattern, ids) = pseudonyms.pattern(of: fields.bytes[field.value]) else { continue }
      found.append((Place(place: field.placeFingerprint, kind: field.kind, pattern: pattern), ids))
      rest = rest - field.fingerprint
    }
    guard !found.isEmpty else { return nil }
    found.sort { $0.place.place < $1.place.place }
    return (Template(shape: Shape(fields), places: found.map(\.place)), found.flatMap(\.ids), rest)
  }

  /// The live values in the holes and the fingerprint of the rest; nil when the request lacks a place, or differs around one.
  func project(_ fields: RequestFields) -> (values: [String], rest: Fingerprint)? {
    var values: [String] = []
    var rest = fields.fingerprint
    for place in places {
      guard let field = fields.fields.first(where: { $0.placeFingerprint == place.place }), field.kind == place.kind,
        let found = place.pattern.values(in: fields.bytes[field.value])
      else { return nil }
      values += found
      rest = rest - field.fingerprint
    }
    return (values, rest)
  }
}

extension RequestFields.Kind {
  var holdsPseudonyms: Bool { self == .text || self == .number || self == .word }
}
