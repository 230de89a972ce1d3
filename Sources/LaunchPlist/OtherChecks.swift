extension InfoPlistInspection {
  /// P12.
  mutating func checkMessageSwitches(_ root: PlistNode) {
    for key in ["OneSignal_in_app_message_hide_gray_overlay", "OneSignal_in_app_message_hide_drop_shadow"] {
      for node in root.values(of: key) {
        if case .boolean = node.value.content { continue }
        report(
          .messageSwitches, .error, node,
          "\(key) is \(node.value.kind), which is not understood; write <true/> or <false/>")
      }
    }
  }

  /// P13, at any depth.
  mutating func checkRepeatedKeys(_ node: PlistNode) {
    var seen: [String: PlistNode] = [:]
    for member in node.value.members ?? [] {
      var key = PlistNode(value: member.value, path: node.path + [member.key])
      key.place = member.place
      if let first = seen[member.key] {
        let origin = first.place == nil ? "earlier in this dictionary" : "on \(first.whereabouts)"
        report(
          .repeatedKeys, .error, key,
          "the key \(member.key.quoted) stands \(origin) already, and only one of the two counts; remove the other")
      } else {
        seen[member.key] = key
      }
      checkRepeatedKeys(key)
    }
    for element in node.elements { checkRepeatedKeys(element) }
  }
}
