extension InfoPlistInspection {
  /// P6 to P10.
  mutating func checkEndpoints(_ root: PlistNode) {
    let reports = root.values(of: Self.reportKey)
    for node in reports { check(node, Self.reportKey, form: .reportEndpoint, parts: .reportEndpointParts) }
    let bare = root.values(of: Self.copyKey)
    let grouped = root.values(of: "AdAttributionKit").flatMap { $0.values(of: Self.copyKey) }
    for node in bare + grouped { check(node, Self.copyKey, form: .copyEndpoint, parts: .copyEndpoint) }
    checkPlace(bare, grouped)
    checkDomains(reports, bare + grouped)
  }

  private static let reportKey = "NSAdvertisingAttributionReportEndpoint"
  private static let copyKey = "AttributionCopyEndpoint"

  private mutating func check(_ node: PlistNode, _ key: String, form: Check, parts: Check) {
    guard let text = string(node, form, key) else { return }
    for fault in Endpoint(text).faults {
      switch fault {
      case .form(let message): report(form, .error, node, "\(key) \(message)")
      case .part(let message): report(parts, .error, node, "\(key) \(message)")
      case .doubt(let message): report(parts, .warning, node, "\(key) \(message)")
      }
    }
  }

  private mutating func checkPlace(_ bare: [PlistNode], _ grouped: [PlistNode]) {
    guard let first = bare.first ?? grouped.first else { return }
    if let bare = bare.first, let grouped = grouped.first, bare.value.content != grouped.value.content {
      report(
        .copyEndpointPlace, .warning, grouped,
        "\(Self.copyKey) inside AdAttributionKit differs from the one at the top level (\(bare.whereabouts)); make them "
          + "equal, or keep one")
    }
    report(
      .copyEndpointPlace, .note, first,
      "whether \(Self.copyKey) belongs at the top level or inside AdAttributionKit is unclear in the sources; both are "
        + "accepted")
  }

  private mutating func checkDomains(_ reports: [PlistNode], _ copies: [PlistNode]) {
    guard let report = reports.first, let domain = report.value.string.flatMap({ Endpoint($0).domain }) else { return }
    for copy in copies {
      guard let other = copy.value.string.flatMap({ Endpoint($0).domain }), other != domain else { continue }
      self.report(
        .endpointDomains, .note, copy,
        "\(Self.copyKey) is of \(other) and \(Self.reportKey) (\(report.whereabouts)) of \(domain); mostly one domain "
          + "takes both")
    }
  }
}
