import LaunchHTTP
import LaunchJSON

/// The names that credentials go by on every host, whatever their letter case, with `_` and `-` in them or without.
///
/// They count behind the rules for exact names, which may know better what a value is.
struct CredentialNames: Sendable {
  typealias Instruction = RedactionRules.Instruction

  fileprivate struct Entry {
    /// In lower case, with nothing but letters and digits.
    var name: [UInt8]
    var instruction: Instruction
  }

  private var groups: [[Entry]] = []
  /// By first and last letter: which of `groups` has such names, counted from 1. Zero for most names.
  private var places = [UInt8](repeating: 0, count: 1024)

  mutating func add(_ name: String, _ instruction: Instruction) {
    let entry = Entry(name: name.utf8.filter { !$0.isJoint }.map(\.lowercasedASCII), instruction: instruction)
    guard let slot = Self.slot(entry.name), groups.count < 255 || places[slot] > 0 else { return }
    if places[slot] == 0 {
      groups.append([])
      places[slot] = UInt8(truncatingIfNeeded: groups.count)
    }
    groups[Int(places[slot]) - 1].append(entry)
  }

  /// Whether it is worth asking for the instruction.
  @inline(__always)
  func mayHold(_ name: Span<UInt8>) -> Bool {
    var (first, last) = (0, name.count - 1)
    while first <= last, name.byte(at: first).isJoint { first += 1 }
    while last > first, name.byte(at: last).isJoint { last -= 1 }
    return first <= last && places[Self.slot(name.byte(at: first), name.byte(at: last))] > 0
  }

  /// What is to be done with the value of this name.
  func instruction(for name: some BidirectionalCollection<UInt8>) -> Instruction? {
    guard let slot = Self.slot(name), places[slot] > 0 else { return nil }
    return groups[Int(places[slot]) - 1].first { $0.fits(name) }?.instruction
  }

  /// The same for a header, in whose name `X-` says nothing.
  func instruction(forHeader name: String) -> Instruction? {
    let name = Substring(name).utf8
    let isExtension = name.count > 2 && name.prefix(2).elementsEqual("x-".utf8) { $0.lowercasedASCII == $1 }
    return instruction(for: isExtension ? name.dropFirst(2) : name)
  }

  private static func slot(_ name: some BidirectionalCollection<UInt8>) -> Int? {
    guard let first = name.first(where: { !$0.isJoint }), let last = name.last(where: { !$0.isJoint }) else {
      return nil
    }
    return slot(first, last)
  }

  @inline(__always)
  private static func slot(_ first: UInt8, _ last: UInt8) -> Int { Int(first & 31) << 5 | Int(last & 31) }
}

extension CredentialNames.Entry {
  fileprivate func fits(_ other: some Collection<UInt8>) -> Bool {
    var index = 0
    for byte in other where !byte.isJoint {
      guard index < name.count, name[index] == byte.lowercasedASCII else { return false }
      index += 1
    }
    return index == name.count
  }
}

extension UInt8 {
  /// What joins the words of a name.
  fileprivate var isJoint: Bool { self == UInt8(ascii: "_") || self == UInt8(ascii: "-") }
}

extension RedactionRules {
  /// The rules for credentials on every host, by kind.
  static let credentials: [Rule] = credentialNames.flatMap { kind, names in
    names.map { Rule(action: .redact(kind: kind), place: .credential($0), hosts: [], source: nil) }
  }

  private static let credentialNames: [(kind: String, names: [String])] = [
    (
      "password",
      [
        "password", "passwd", "pwd", "passphrase", "user_password", "new_password", "old_password",
        "current_password", "confirm_password", "password_confirmation",
      ]
    ),
    ("secret", ["secret", "secret_key"]),
    ("client_secret", ["client_secret"]),
    ("api_key", ["api_key"]),
    ("private_key", ["private_key"]),
    ("access_token", ["access_token"]),
    ("refresh_token", ["refresh_token"]),
    ("id_token", ["id_token"]),
    ("auth_token", ["auth_token"]),
    ("session_token", ["session_token"]),
    (tokenName, [tokenName]),
  ]

  /// The one name that many a value has that is no secret.
  static let tokenName = "token"
}

extension RedactionRules.Instruction {
  /// Whether it is for this value: `token` alone is a name of secrets where the value looks like one.
  func fits(_ value: some Collection<UInt8>) -> Bool { !isForTokens || value.looksLikeToken }
}

extension Collection<UInt8> {
  /// Sixteen bytes or more without blanks, that are no JSON and no URL.
  fileprivate var looksLikeToken: Bool {
    guard count >= 16, let first, first != UInt8(ascii: "{"), first != UInt8(ascii: "[") else { return false }
    return allSatisfy { $0 > 0x20 } && !prefix(4).elementsEqual("http".utf8) { $0 | 0x20 == $1 }
  }
}
