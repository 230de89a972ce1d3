import LaunchHTTP
import LaunchJSON

/// Which calls a vendor does not answer as usual, and how: one line a fault.
///
/// ```
/// # OneSignal takes its time, and refuses the tags once.
/// at call onesignal.create-user: wait 9 s
/// at call tags: 500, once
/// at call tags: 429 retry-after 2, twice
/// at call adapty.*: drop
/// ```
///
/// Each request uses up one turn of the first line that names its call and has turns left; a line without a count has
/// them for ever. So lines for the same call happen one after the other.
public struct FaultScript: Hashable, Sendable {
  /// A group of calls.
  public enum Target: Hashable, Sendable {
    /// One kind of call.
    case kind(VendorCall)
    /// Every call of a vendor, by the part of its names before the dot.
    case vendor(String)
    /// OneSignal's update of a user that carries tags.
    case tags
    /// Every call of every vendor.
    case all
  }

  /// One line.
  public struct Step: Hashable, Sendable {
    public var targets: [Target]
    public var fault: Fault
    /// How often; nil for ever.
    public var times: Int?

    public init(_ targets: [Target], _ fault: Fault, times: Int? = nil) {
      self.targets = targets
      self.fault = fault
      self.times = times
    }
  }

  /// In the order of the lines.
  public var steps: [Step]

  /// Everything as usual when there is no step.
  public init(_ steps: [Step] = []) { self.steps = steps }

  /// Uses up a turn, and returns what happens to `request`; nil when nothing does.
  mutating func next(for call: VendorCall, _ request: Request) -> Fault? {
    let index = steps.firstIndex { step in
      step.times != 0 && step.targets.contains { $0.includes(call, request) }
    }
    guard let index else { return nil }
    if let times = steps[index].times { steps[index].times = times - 1 }
    return steps[index].fault
  }
}

extension FaultScript.Target {
  /// What scripts may name, in the order in which to list it.
  static let names = ["*", "tags"] + vendorNames.map { "\($0).*" } + VendorCall.allCases.map(\.name)

  private static let vendorNames = VendorCall.allCases.map(\.vendorName).reduce(into: [String]()) { names, name in
    if !name.isEmpty, !names.contains(name) { names.append(name) }
  }

  /// Nil for a name that scripts do not know.
  init?(named name: String) {
    if name == "*" {
      self = .all
    } else if name == "tags" {
      self = .tags
    } else if let call = VendorCall.allCases.first(where: { $0.name == name }) {
      self = .kind(call)
    } else if let vendor = Self.vendorNames.first(where: { "\($0).*" == name }) {
      self = .vendor(vendor)
    } else {
      return nil
    }
  }

  fileprivate func includes(_ call: VendorCall, _ request: Request) -> Bool {
    switch self {
    case .all: true
    case .kind(let kind): kind == call
    case .vendor(let name): call.vendorName == name
    case .tags:
      call == .oneSignalUpdateUser
        && (try? JSON(parsing: Array(request.body.bytes)))?["properties"]?["tags"]?.object?.isEmpty == false
    }
  }
}

extension VendorCall {
  /// As scripts and messages name it: `onesignal.create-user`, `adjust.session`.
  public var name: String {
    let words = rawValue.split(beforeUppercase: vendorPrefix.count).joined(separator: "-")
    return vendorName.isEmpty ? words : "\(vendorName).\(words)"
  }

  /// The part of the name before the dot; empty for a call of no vendor.
  var vendorName: String { vendorPrefix.lowercased() }

  private var vendorPrefix: String {
    ["oneSignal", "adjust", "adapty", "motiSig"].first { rawValue.hasPrefix($0) } ?? ""
  }
}

extension String {
  /// The words of a name in camel case, in lower case, without the first `count` characters.
  fileprivate func split(beforeUppercase count: Int) -> [String] {
    dropFirst(count).reduce(into: [String]()) { words, character in
      if character.isUppercase || words.isEmpty { words.append("") }
      words[words.count - 1] += character.lowercased()
    }
  }
}
