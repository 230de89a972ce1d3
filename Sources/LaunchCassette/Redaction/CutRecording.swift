import LaunchHTTP
public import LaunchJSON
public import LaunchTrace

extension Trace {
  /// The pseudonyms by kind that stand in this trace: those its closing event lists, and of a cut recording those that can be
  /// recognised.
  ///
  /// A cut recording has no closing event. But its rules still find the places of its secrets, and a pseudonym follows from
  /// kind, number and shape alone: what stands in such a place is made anew and compared. So a value that is none is never
  /// taken for one. One that stands in no place of a rule is not found.
  /// - Parameter rules: Those of the recording.
  public func pseudonyms(by rules: RedactionRules) -> JSONObject {
    if isClosed { return pseudonyms }
    var redactor = Redactor(rules: rules)
    for event in events { _ = redactor.redact(event) }
    var recognised = JSONObject()
    var counts: [String: Int] = [:]
    for secret in redactor.table.secrets {
      let number = counts[secret.kind, default: 0] + 1
      counts[secret.kind] = number
      guard Pseudonym.isOne(secret.value, kind: secret.kind, near: number) else { continue }
      let text = JSON.string(String(decoding: secret.value, as: UTF8.self))
      recognised[secret.kind] = .array((recognised[secret.kind]?.array ?? []) + [text])
    }
    return recognised
  }
}

extension Pseudonym {
  /// Whether a value is the pseudonym of a secret of this kind.
  /// - Parameter number: Which of its kind it should be; those that were lost, or stand in no place of a rule, move it.
  fileprivate static func isOne(_ value: [UInt8], kind: String, near number: Int) -> Bool {
    let lower = value.map(\.lowercasedASCII)
    return (max(1, number - 8)...number + 16).contains { number in
      let source = Pseudonym(for: value, kind: kind, number: number)
      return (0..<4).contains { source.choice($0) == lower }
    }
  }
}
