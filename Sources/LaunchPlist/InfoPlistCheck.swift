/// Says what is wrong with the `Info.plist` of an app that asks for tracking and measures its installs: the checks of
/// vendors.md 7.2.
///
/// ```swift
/// for finding in InfoPlistCheck(bytes).findings { print(finding.message) }
/// ```
///
/// It reads the file alone: whether the app really asks for tracking, or shows advertisements, it does not know. Values
/// that the build fills in, such as `$(TRACKING_TEXT)`, are noted and not judged: check the built app's file.
public struct InfoPlistCheck: Hashable, Sendable {
  /// The checks of vendors.md 7.2, by their ids there.
  public enum Check: String, Hashable, Sendable, CaseIterable {
    /// The sentence of the tracking prompt is there and is not blank.
    case trackingText = "P1"
    /// It is more than a placeholder.
    case trackingTextQuality = "P2"
    /// `SKAdNetworkItems` has the form that Apple documents.
    case networkItems = "P3"
    /// Each network id is lower-case letters and digits and `.skadnetwork`.
    case networkIDs = "P4"
    /// No network stands there twice.
    case networkRepeats = "P5"
    /// `NSAdvertisingAttributionReportEndpoint` is an address of the form `https://example.com`.
    case reportEndpoint = "P6"
    /// It names a domain and nothing else.
    case reportEndpointParts = "P7"
    /// `AttributionCopyEndpoint` obeys the same rules.
    case copyEndpoint = "P8"
    /// Where `AttributionCopyEndpoint` stands.
    case copyEndpointPlace = "P9"
    /// Both endpoints are of one domain.
    case endpointDomains = "P10"
    /// `AdNetworkIdentifiers` has the form that Apple documents.
    case adNetworkIdentifiers = "P11"
    /// The switches of in-app messages are booleans.
    case messageSwitches = "P12"
    /// No key stands twice in a dictionary.
    case repeatedKeys = "P13"
    /// How many networks there are.
    case networkCount = "P14"
  }

  public enum Severity: String, Hashable, Sendable {
    case error, warning
    /// Worth knowing, and nothing to mend.
    case note
  }

  public struct Finding: Hashable, Sendable {
    /// Nil when the file could not be read.
    public var check: Check?
    public var severity: Severity
    /// The keys and indices that lead to the value, as plutil takes them; the root's way is empty.
    public var path: [String]
    /// Nil in a binary list, and in a file that is no property list.
    public var place: TextPlace?
    /// One sentence without a full stop: what is wrong and what to do.
    public var message: String
    /// The line as written, its line break left out; empty where `place` is nil.
    public var sourceLine: String
  }

  /// In the order of the text; of a binary list in that of the checks.
  public let findings: [Finding]

  /// Reads the bytes of a file in either form. A file that is no property list gives one finding that says why.
  public init(_ bytes: [UInt8]) {
    do throws(PropertyListError) {
      let list = try PropertyList(parsing: bytes)
      var inspection = InfoPlistInspection()
      inspection.inspect(list.root)
      findings = inspection.findings(in: list)
    } catch {
      findings = [Finding(error)]
    }
  }
}

extension InfoPlistCheck.Finding {
  fileprivate init(_ error: PropertyListError) {
    self.init(check: nil, severity: .error, path: [], place: nil, message: error.message, sourceLine: "")
    switch error.place {
    case .text(let place, let line): (self.place, sourceLine) = (place, line)
    case .byte(0): break
    case .byte(let offset): message = "byte \(offset): \(message)"
    }
  }
}
