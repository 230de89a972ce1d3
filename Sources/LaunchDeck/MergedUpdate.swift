import LaunchHTTP

/// A kind of request whose body lists changes that an SDK gathers for a while before it sends them.
///
/// Which changes leave together is a matter of milliseconds: what one run sends in two requests another sends in one. So
/// such a request is matched by its changes, whichever request they stood in. A change is a value at its place in the body,
/// as in `body.properties.tags.campaign` is `"spring"`.
struct MergedUpdate: Sendable {
  private let method: String
  private let host: HostPattern
  /// The segments; `*` is any.
  private let path: [Substring]
  /// Places that say something about the request and are no changes: which of them it has depends on what left with it.
  private let remarks: Set<String>
  /// Places of whole numbers that add up when changes are merged.
  private let sums: Set<String>

  /// - Precondition: `host` is one.
  init(_ method: String, host: String, path: String, remarks: Set<String> = [], sums: Set<String> = []) {
    guard let host = HostPattern(host) else { preconditionFailure("\(host) is no host") }
    self.method = method
    self.host = host
    self.path = path.split(separator: "/", omittingEmptySubsequences: false)
    self.remarks = remarks
    self.sums = sums
  }

  /// Cheap for requests with another method.
  func covers(_ request: Request, at location: @autoclosure () -> Location) -> Bool {
    guard request.method == method else { return false }
    let location = location()
    let segments = location.path.split(separator: "/", omittingEmptySubsequences: false)
    return segments.count == path.count && zip(path, segments).allSatisfy { $0 == "*" || $0 == $1 }
      && host.fits(location.host.split(separator: ".", omittingEmptySubsequences: false))
  }

  /// Each change as a request that has no other, its field the last.
  ///
  /// What adds up is cut into ones, so that a 2 can be told apart: it is two changes of 1.
  func changes(in fields: RequestFields) -> [RequestFields] {
    var frame = fields
    frame.fields = fields.fields.filter { !fields.isInBody($0) }
    frame.count = frame.fields.count
    frame.fingerprint = frame.fields.reduce(.zero) { $0 + $1.fingerprint }
    return fields.fields.flatMap { field in
      let place = fields.place(of: field)
      guard fields.isInBody(field), field.kind != .container, !remarks.contains(place) else { return [RequestFields]() }
      guard sums.contains(place), let parts = ones(of: field, in: fields) else { return [frame.with(field)] }
      return Array(repeating: frame.with(one: field), count: parts)
    }
  }

  /// Nil for what had better stay in one piece, for a request may say any number.
  private func ones(of field: RequestFields.Field, in fields: RequestFields) -> Int? {
    guard field.kind == .number, let number = Int(fields.printed(field)), 1...100 ~= number else { return nil }
    return number
  }
}

extension RequestFields {
  func isInBody(_ field: Field) -> Bool { bytes[field.place].starts(with: "body".utf8) }

  fileprivate func with(_ field: Field) -> RequestFields {
    var result = self
    result.fields.append(field)
    result.count += 1
    result.fingerprint = fingerprint + field.fingerprint
    return result
  }

  /// With the number 1 at the place of `field`.
  fileprivate func with(one field: Field) -> RequestFields {
    var (result, field) = (self, field)
    let one = UInt8(ascii: "1")
    field.value = result.bytes.count..<result.bytes.count + 1
    result.bytes.append(one)
    field.fingerprint = Fingerprint([one].span, at: field.placeFingerprint, field.kind.rawValue)
    return result.with(field)
  }
}
