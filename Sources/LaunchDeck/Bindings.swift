/// Which live values a replay has tied to which pseudonyms.
struct Bindings: Sendable {
  /// A live value in the place of a pseudonym.
  struct Use: Hashable, Sendable {
    /// The number of the pseudonym.
    var id: Int
    var value: String
  }

  private struct Binding: Sendable {
    var value: String
    /// The recorded call at whose answer it was made.
    var call: Int
  }

  /// Puts the live values in the place of the pseudonyms that they are tied to, other ones.
  private(set) var replacements = Replacements()
  private let pseudonyms: Pseudonyms
  private var bindings: [Int: Binding] = [:]
  private var owners: [Pseudonyms.Entry: Int] = [:]

  init(_ pseudonyms: Pseudonyms) { self.pseudonyms = pseudonyms }

  /// The pseudonym that a live value stands for; nil when it is new.
  func id(of value: String, kind: String) -> Int? {
    owners[Pseudonyms.Entry(kind: kind, text: value)] ?? pseudonyms.id(of: value, kind: kind)
  }

  func text(of id: Int) -> String { pseudonyms.entries[id].text }
  func isBound(_ id: Int) -> Bool { bindings[id] != nil }
  /// Whether no pseudonym is left to be tied.
  var areComplete: Bool { bindings.count == pseudonyms.entries.count }

  /// Whether all uses agree with what is tied and with each other.
  func admits(_ uses: [Use]) -> Bool {
    uses.indices.allSatisfy { index in
      contradiction(of: uses[index]) == nil
        && uses[..<index].allSatisfy { earlier in
          let isSame = kind(earlier.id) == kind(uses[index].id) && earlier.value == uses[index].value
          return isSame == (earlier.id == uses[index].id) || isItself(earlier) || isItself(uses[index])
        }
    }
  }

  /// Why a live value cannot stand for the pseudonym; nil when it can.
  ///
  /// The pseudonym itself always can, whatever is tied to it: a client can only have it from a replayed answer.
  func contradiction(of use: Use) -> String? {
    if isItself(use) { return nil }
    let kind = kind(use.id)
    if let binding = bindings[use.id] {
      if binding.value == use.value { return nil }
      return "\(kind) is \"\(use.value)\", but the replay bound it to \"\(binding.value)\" at call \(binding.call)"
    }
    guard let owner = id(of: use.value, kind: kind), owner != use.id else { return nil }
    guard let binding = bindings[owner] else {
      return "\(kind) is \"\(use.value)\", which stands for another one in the recording"
    }
    return "\(kind) is \"\(use.value)\", but the replay bound that to another \(kind) at call \(binding.call)"
  }

  /// Ties the values that are new. The uses are admitted.
  mutating func bind(_ uses: [Use], at call: Int) {
    for use in uses where bindings[use.id] == nil {
      bindings[use.id] = Binding(value: use.value, call: call)
      owners[Pseudonyms.Entry(kind: kind(use.id), text: use.value)] = use.id
      if !isItself(use) { replace(use) }
    }
  }

  /// In the letter case of the recording, and wholly in upper and lower case, as some write identifiers.
  private mutating func replace(_ use: Use) {
    let pseudonym = pseudonyms.entries[use.id].text
    guard pseudonym.utf8.count >= Self.shortestPart else { return }
    replacements.replace(pseudonym, by: use.value)
    replacements.replace(pseudonym.lowercased(), by: use.value.lowercased())
    replacements.replace(pseudonym.uppercased(), by: use.value.uppercased())
  }

  /// What is shorter could stand in an answer by accident.
  private static let shortestPart = 6

  private func kind(_ id: Int) -> String { pseudonyms.kind(id) }
  private func isItself(_ use: Use) -> Bool { pseudonyms.entries[use.id].text == use.value }
}
