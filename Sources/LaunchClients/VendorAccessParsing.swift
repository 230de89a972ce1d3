public import LaunchDiagnostics
import LaunchHTTP

extension VendorAccess {
  /// Reads a file of credentials: `NAME=value` a line, for any of the vendors.
  ///
  /// ```
  /// # OneSignal and Adjust are real, the others stand-ins.
  /// ONESIGNAL_APP_ID=7d3c5a90-1f42-4e8b-a6c7-0b95d2e81f34
  /// ADJUST_APP_TOKEN=abcdefghijkl
  /// ADJUST_S2S_TOKEN='…'
  /// ```
  ///
  /// A `#` begins a comment at the start of a line or behind a space. A value may stand in single or double quotes, in
  /// which everything means itself. `export` before a name is taken as nothing.
  ///
  /// There are `ONESIGNAL_APP_ID`; `ADJUST_APP_TOKEN` with `ADJUST_S2S_TOKEN` or `ADJUST_AUTHORIZATION` or both, and
  /// `ADJUST_ENVIRONMENT` (`sandbox` without it); `ADAPTY_PUBLIC_KEY` and `ADAPTY_CLUSTER`; `MOTISIG_SDK_KEY` with
  /// `MOTISIG_PROJECT_ID`, and `MOTISIG_BASE_URL`; `LAUNCHTAPE_CA_FILE`.
  /// - Parameters:
  ///   - file: What diagnostics call it.
  ///   - allowsProduction: Whether Adjust may count what it is told as real installs (vendors.md 1.8); no other vendor has
  ///     an environment to choose (2.7, 3.6, 4.5).
  /// - Throws: `DiagnosticsError` with everything that is wrong, in the order of the lines. No diagnostic shows a value.
  public init(
    parsing text: String, file: String, allowsProduction: Bool = false
  ) throws(DiagnosticsError) {
    var reader = SettingsReader(file: file)
    reader.read(text)
    reader.checkCompanions()
    if let environment = reader.settings[.adjustEnvironment], environment.value == "production", !allowsProduction {
      reader.complain(
        "production counts what is recorded as real installs: write sandbox, or allow it with --production",
        environment.place)
    }
    guard reader.diagnostics.isEmpty else {
      throw DiagnosticsError(reader.diagnostics.sorted { ($0.line, $0.column) < ($1.line, $1.column) })
    }
    self.init(reader.settings.mapValues(\.value))
  }

  private init(_ values: [VendorSetting: String]) {
    for setting in VendorSetting.allCases {
      guard let value = values[setting] else { continue }
      take(value, for: setting)
      guard let kind = setting.secretKind else { continue }
      secrets.append(Secret(kind: kind, value: value))
      // It stands in paths by itself (vendors.md 2.1).
      if setting == .adaptyPublicKey, let prefix = value.split(separator: ".").first, prefix.count < value.count {
        secrets.append(Secret(kind: kind, value: String(prefix)))
      }
    }
  }

  private mutating func take(_ value: String, for setting: VendorSetting) {
    switch setting {
    case .oneSignalAppID: (credentials.oneSignalAppID, hasOneSignal) = (value, true)
    case .adjustAppToken: credentials.adjustAppToken = value
    case .adjustEnvironment: adjustEnvironment = AdjustClient.Environment(rawValue: value) ?? .sandbox
    case .adjustServerToken: (credentials.adjustServerToken, hasAdjustServer) = (value, true)
    case .adjustAuthorization: (credentials.adjustSignature, hasAdjustSDK) = (value, true)
    case .adaptyPublicKey: (credentials.adaptyPublicKey, hasAdapty) = (value, true)
    case .adaptyCluster: adaptyCluster = AdaptyConfiguration.Cluster(rawValue: value) ?? .default
    case .motiSigSDKKey: (credentials.motiSigSDKKey, hasMotiSig) = (value, true)
    case .motiSigProjectID: credentials.motiSigProjectID = value
    case .motiSigBaseURL: motiSigBase = (try? Location(parsing: value)) ?? motiSigBase
    case .authorityFile: authorityFile = value
    }
  }
}

/// Takes a file of settings apart. Everything it says of a line leaves the value out: it may be a credential, whatever the
/// mistake is.
private struct SettingsReader {
  struct Place {
    var line: Int
    /// Counted from 1, in characters.
    var column: Int
    /// The line up to its value.
    var text: String
  }

  let file: String
  var settings: [VendorSetting: (value: String, place: Place)] = [:]
  var diagnostics: [Diagnostic] = []

  init(file: String) { self.file = file }

  mutating func read(_ text: String) {
    // CR LF is one character.
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      read(String(index == 0 ? line.drop { $0 == "\u{FEFF}" } : line), number: index + 1)
    }
    if settings.isEmpty, diagnostics.isEmpty {
      complain("the file names no vendor; there is \(Self.knownNames)", Place(line: 1, column: 1, text: ""))
    }
  }

  mutating func checkCompanions() {
    for (setting, (_, place)) in settings {
      for wanted in setting.companions where !wanted.contains(where: { settings[$0] != nil }) {
        let names = wanted.map(\.rawValue).joined(separator: " or ")
        complain("\(setting.rawValue) alone is of no use: \(names) is missing", place)
      }
    }
  }

  mutating func complain(_ message: String, _ place: Place) {
    diagnostics.append(
      Diagnostic(
        file: file, line: place.line, column: place.column, severity: .error, message: message,
        sourceLine: place.text))
  }

  private mutating func read(_ line: String, number: Int) {
    let content = line.drop(while: \.isWhitespace)
    guard let first = content.first, first != "#" else { return }
    var place = Place(line: number, column: line.column(of: content.startIndex), text: "")
    guard let equals = content.firstIndex(of: "=") else {
      return complain("a line is NAME=value; there is no = here", place)
    }
    var name = content[..<equals].trimmed
    if name.hasPrefix("export "), let word = name.split(separator: " ").last {
      place.column = line.column(of: word.startIndex)
      name = word
    }
    guard let setting = VendorSetting(rawValue: String(name)) else { return complain(about: String(name), place) }
    let value = line[line.index(after: equals)...].drop(while: \.isWhitespace)
    place.column = line.column(of: value.startIndex)
    place.text = "\(line[..<value.startIndex])…"
    read(value, of: setting, place)
  }

  private mutating func read(_ text: Substring, of setting: VendorSetting, _ place: Place) {
    var value = text
    if let quote = text.first, quote == "\"" || quote == "'" {
      let inside = text.dropFirst()
      guard let end = inside.firstIndex(of: quote) else { return complain("the quote \(quote) is not closed", place) }
      value = inside[..<end]
      let rest = inside[inside.index(after: end)...].trimmed
      guard rest.isEmpty || rest.hasPrefix("#") else {
        return complain("behind the closing quote \(quote) nothing but a comment may stand", place)
      }
    } else {
      value = text.beforeComment.trimmed
    }
    if let mistake = setting.mistake(in: String(value)) { return complain(mistake, place) }
    if let first = settings[setting] {
      return complain("\(setting.rawValue) stands in line \(first.place.line) already", place)
    }
    settings[setting] = (String(value), place)
  }

  /// Shows the name only where it surely is one: somebody may have pasted a key alone, with the `=` that ends base64.
  private mutating func complain(about name: String, _ place: Place) {
    let near = Suggestion.nearest(to: name, in: VendorSetting.names)
    let isOurs = ["ONESIGNAL_", "ADJUST_", "ADAPTY_", "MOTISIG_", "LAUNCHTAPE_"].contains(where: name.hasPrefix)
    let isName = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") } && (isOurs || near != nil)
    let hint = near.map { "did you mean \($0)?" } ?? "there is \(Self.knownNames)"
    var place = place
    if isName { place.text = String(repeating: " ", count: place.column - 1) + "\(name)=…" }
    complain("unknown name\(isName ? " \(name)" : ""); \(hint)", place)
  }

  private static let knownNames = VendorSetting.names.joined(separator: ", ")
}

extension String {
  fileprivate func column(of index: Index) -> Int { distance(from: startIndex, to: index) + 1 }
}

extension Substring {
  /// Without white space at both ends.
  fileprivate var trimmed: Substring {
    var text = drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }

  /// Up to a `#` at the beginning or behind white space.
  fileprivate var beforeComment: Substring {
    var isBehindSpace = true
    for index in indices {
      if self[index] == "#", isBehindSpace { return self[..<index] }
      isBehindSpace = self[index].isWhitespace
    }
    return self
  }
}
