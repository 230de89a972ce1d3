import LaunchJSON

extension JSONObject {
  /// The text at `key`, which may be empty, or a refusal that names it.
  func string(_ key: String) throws(Refusal) -> String {
    guard let text = self[key]?.string else { throw wrong(key, "a string") }
    return text
  }

  /// The text at `key`, nil when there is no such member; null is none either, but a mistake.
  func optionalString(_ key: String) throws(Refusal) -> String? { self[key] == nil ? nil : try string(key) }

  func optionalBool(_ key: String) throws(Refusal) -> Bool? {
    guard let value = self[key] else { return nil }
    guard let flag = value.bool else { throw wrong(key, "true or false") }
    return flag
  }

  /// The texts at `key`, none when there is no such member.
  func optionalStrings(_ key: String) throws(Refusal) -> [String] {
    guard let value = self[key] else { return [] }
    guard let texts = value.array?.map(\.string), !texts.contains(nil) else { throw wrong(key, "an array of strings") }
    return texts.compactMap(\.self)
  }

  /// The text at `key`, which has to be one of `words`.
  func word(_ key: String, of words: [String]) throws(Refusal) -> String {
    guard let word = self[key]?.string, words.contains(word) else {
      throw wrong(key, "one of " + words.joined(separator: ", "))
    }
    return word
  }

  /// Refuses members that are none of `keys`.
  func requireOnly(_ keys: [String]) throws(Refusal) {
    if let other = members.first(where: { !keys.contains($0.key) }) {
      throw Refusal(400, "invalid_request", "\(other.key) does not belong here")
    }
  }

  private func wrong(_ key: String, _ wanted: String) -> Refusal {
    Refusal(400, "invalid_request", "\(key) has to be \(wanted)")
  }
}
