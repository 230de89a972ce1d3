/// Runs the checks over the root of an `Info.plist` and collects what they find.
struct InfoPlistInspection {
  typealias Check = InfoPlistCheck.Check

  private var findings: [InfoPlistCheck.Finding] = []

  mutating func inspect(_ value: PropertyListValue) {
    let root = PlistNode(value: value)
    guard value.members != nil else {
      report(nil, .error, root, "an Info.plist is a dictionary, and this is \(value.kind)")
      return
    }
    checkTrackingText(root)
    checkNetworkItems(root)
    checkEndpoints(root)
    checkAdNetworkIdentifiers(root)
    checkMessageSwitches(root)
    checkRepeatedKeys(root)
  }

  /// In the order of the text, with the lines they stand on.
  func findings(in list: PropertyList) -> [InfoPlistCheck.Finding] {
    guard list.format == .xml else { return findings }
    var lines = LineCursor(list.text)
    // Sorting keeps the order of equals.
    return findings.sorted { left, right in
      guard let left = left.place, let right = right.place else { return false }
      return left < right
    }.map { finding in
      var finding = finding
      if let place = finding.place { finding.sourceLine = lines.line(place.line) }
      return finding
    }
  }

  mutating func report(
    _ check: Check?, _ severity: InfoPlistCheck.Severity, _ node: PlistNode, _ message: String
  ) {
    findings.append(
      InfoPlistCheck.Finding(
        check: check, severity: severity, path: node.path, place: node.place, message: message, sourceLine: ""))
  }

  /// The text of a string that the file itself decides; another value is an error, and one that the build fills in a
  /// note.
  mutating func string(_ node: PlistNode, _ check: Check, _ what: String) -> String? {
    guard let text = node.value.string else {
      report(check, .error, node, "\(what) is \(node.value.kind); make it a string")
      return nil
    }
    guard text.contains("$(") || text.contains("${") else { return text }
    report(check, .note, node, "\(what) is filled in by the build; check the Info.plist of the built app as well")
    return nil
  }
}

/// A value of a property list and the way to it.
struct PlistNode {
  var value: PropertyListValue
  var path: [String] = []
  /// Where a finding about it points to.
  var place: TextPlace?

  init(value: PropertyListValue, path: [String] = []) {
    self.value = value
    self.path = path
    place = value.place
  }

  /// The values of a key: more than one when it stands there twice.
  func values(of key: String) -> [PlistNode] {
    (value.members ?? []).filter { $0.key == key }.map { PlistNode(value: $0.value, path: path + [key]) }
  }

  /// The elements of an array.
  var elements: [PlistNode] {
    (value.elements ?? []).enumerated().map { PlistNode(value: $0.element, path: path + ["\($0.offset)"]) }
  }

  /// The place as messages name it: `line 12`, or `SKAdNetworkItems.3` in a binary list.
  var whereabouts: String { place.map { "line \($0.line)" } ?? path.joined(separator: ".") }
}
