extension InfoPlistInspection {
  /// P3, P4, P5 and P14.
  mutating func checkNetworkItems(_ root: PlistNode) {
    for items in root.values(of: "SKAdNetworkItems") {
      guard items.value.elements != nil else {
        report(
          .networkItems, .error, items,
          "SKAdNetworkItems is \(items.value.kind); make it an array of dictionaries with the key \(Self.identifierKey)"
        )
        continue
      }
      checkNetworks(items.elements)
      let count = items.elements.count
      if count > 100 {
        report(
          .networkCount, .note, items,
          "SKAdNetworkItems names \(count) networks; more than 100 may not all be looked at, so keep those in use")
      }
    }
  }

  private static let identifierKey = "SKAdNetworkIdentifier"

  private mutating func checkNetworks(_ items: [PlistNode]) {
    var seen: [String: PlistNode] = [:]
    for item in items {
      guard let node = identifier(of: item),
        let id = string(node, .networkIDs, "this network id")
      else { continue }
      if let fault = Self.fault(ofNetwork: id) { report(.networkIDs, .error, node, fault) }
      let plain = id.trimmingBlanks.lowercased()
      if let first = seen[plain] {
        report(
          .networkRepeats, .warning, node,
          "the network \(plain.quoted) stands at \(first.whereabouts) already; remove one of the two")
      } else {
        seen[plain] = node
      }
    }
  }

  /// The id's value; nil, with a finding, for an item of another form.
  private mutating func identifier(of item: PlistNode) -> PlistNode? {
    guard let members = item.value.members else {
      report(
        .networkItems, .error, item,
        "this item of SKAdNetworkItems is \(item.value.kind); make it a dictionary with the key \(Self.identifierKey)")
      return nil
    }
    let others = members.filter { $0.key != Self.identifierKey }
    if let other = others.first {
      var node = PlistNode(value: other.value, path: item.path + [other.key])
      node.place = other.place
      report(
        .networkItems, .error, node,
        "an item of SKAdNetworkItems has the key \(Self.identifierKey) and no other; remove or rename \(other.key.quoted)"
      )
    }
    guard let node = item.values(of: Self.identifierKey).first else {
      if others.isEmpty {
        report(.networkItems, .error, item, "this item of SKAdNetworkItems is empty; give it \(Self.identifierKey)")
      }
      return nil
    }
    guard node.value.string != nil else {
      report(
        .networkItems, .error, node, "\(Self.identifierKey) is \(node.value.kind); make it a string: abc123.skadnetwork"
      )
      return nil
    }
    return node
  }

  /// What is wrong with an id; nil for `[a-z0-9]+.skadnetwork`.
  private static func fault(ofNetwork id: String) -> String? {
    guard !NetworkID.isRight(id, suffixes: [NetworkID.skAdNetwork]) else { return nil }
    let written = "a network id is lower-case letters and digits and '.skadnetwork'"
    let plain = NetworkID.repaired(id)
    if NetworkID.isRight(plain, suffixes: [NetworkID.skAdNetwork]) {
      return "\(id.quoted) is compared exactly, and \(written); write \(plain.quoted)"
    }
    let name = plain.split(separator: ".").first.map(String.init) ?? ""
    let hint = NetworkID.isName(name) ? "; did you mean \((name + NetworkID.skAdNetwork).quoted)?" : ""
    return "\(id.quoted) is no network id: \(written)\(hint)"
  }

  /// P11: at the top level, or inside `AdAttributionKit`.
  mutating func checkAdNetworkIdentifiers(_ root: PlistNode) {
    let key = "AdNetworkIdentifiers"
    for list in root.values(of: key) + root.values(of: "AdAttributionKit").flatMap({ $0.values(of: key) }) {
      guard list.value.elements != nil else {
        report(.adNetworkIdentifiers, .warning, list, "\(key) is \(list.value.kind); make it an array of strings")
        continue
      }
      for node in list.elements {
        guard let id = node.value.string else {
          report(.adNetworkIdentifiers, .warning, node, "this network id is \(node.value.kind); make it a string")
          continue
        }
        let suffixes = [NetworkID.adAttributionKit, NetworkID.skAdNetwork]
        guard !NetworkID.isRight(id, suffixes: suffixes), !id.contains("$(") else { continue }
        let plain = NetworkID.repaired(id)
        let hint = NetworkID.isRight(plain, suffixes: suffixes) ? "; write \(plain.quoted)" : ""
        report(
          .adNetworkIdentifiers, .warning, node,
          "\(id.quoted) is not lower-case letters and digits and '.adattributionkit' or '.skadnetwork'\(hint)")
      }
    }
  }
}

private enum NetworkID {
  static let skAdNetwork = ".skadnetwork"
  static let adAttributionKit = ".adattributionkit"

  static func isRight(_ id: String, suffixes: [String]) -> Bool {
    suffixes.contains { id.hasSuffix($0) && isName(String(id.dropLast($0.count))) }
  }

  static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }
  }

  /// Without blanks and quotes, in lower case.
  static func repaired(_ id: String) -> String {
    id.lowercased().filter { !$0.isWhitespace && !"\"'“”‘’`".contains($0) }
  }
}
