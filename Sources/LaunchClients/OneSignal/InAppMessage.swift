package import LaunchJSON

/// One in-app message of the list (vendors.md 3.2, call 3): which content it has, and when it wants to be shown.
///
/// The inner form of `variants` and `triggers` is OneSignal's public one: content by platform and language, and a list
/// of alternatives of conditions that must hold together.
package struct InAppMessage: Hashable, Sendable {
  package struct Trigger: Hashable, Sendable {
    package var property: String
    package var comparison: String
    package var value: String?
  }

  package let id: String
  /// The id of the content for this platform and language.
  package let variant: String
  /// Alternatives; a message without any is shown at once.
  package let triggers: [[Trigger]]

  /// Nil for a message without an id or without content for this device: it cannot be shown.
  package init?(_ json: JSON, language: String) {
    guard let id = json["id"]?.string, let variant = Self.variant(in: json["variants"], language: language) else {
      return nil
    }
    self.id = id
    self.variant = variant
    triggers = (json["triggers"]?.array ?? []).map { ($0.array ?? []).map(Trigger.init) }
  }

  /// Whether `values` let the message be shown.
  package func qualifies(with values: [String: String]) -> Bool {
    triggers.isEmpty || triggers.contains { $0.allSatisfy { $0.holds(for: values[$0.property]) } }
  }

  private static func variant(in variants: JSON?, language: String) -> String? {
    for platform in ["ios", "app", "all"] {
      guard let contents = variants?[platform] else { continue }
      if let id = (contents[language] ?? contents["default"])?.string { return id }
    }
    return nil
  }
}

extension InAppMessage.Trigger {
  fileprivate init(_ json: JSON) {
    property = json["property"]?.string ?? ""
    comparison = json["operator"]?.string ?? ""
    value = json["value"].flatMap { $0.string ?? $0.integer.map(String.init) ?? $0.bool.map(String.init) }
  }

  /// An operator that this client does not know never holds.
  fileprivate func holds(for current: String?) -> Bool {
    switch comparison {
    case "equal": current != nil && current == value
    case "not_equal": current != value
    case "exists": current != nil
    case "not_exists": current == nil
    default: false
    }
  }
}
