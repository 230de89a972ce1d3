import LaunchJSON
import LaunchTrace

/// All of a HAR but its entries.
struct HARFrame {
  /// The beginning of the trace in microseconds since the start of 1970; that itself where the cassette does not say it.
  let epoch: Int64
  private let bare: JSON

  init(_ header: CassetteHeader) {
    epoch = HARDate(header.recorded)?.microseconds ?? 0
    let by = header.by.isEmpty ? "launchtape" : header.by
    let space = by.utf8.lastIndex(of: UInt8(ascii: " "))
    let name = space.map { String(by[..<$0]) } ?? by
    let version = space.map { String(by[by.utf8.index(after: $0)...]) } ?? ""
    bare = [
      "log": [
        "version": "1.2", "creator": ["name": .string(name), "version": .string(version)], "entries": [],
      ]
    ]
  }

  /// What the root of a HAR says beyond this frame: the patch to it without entries and tape, and under `#` the calls in
  /// the order of their entries, where that is not the order of the requests.
  func patch(to root: JSON, calls: [Int], in events: [Event]) -> JSON? {
    var log = root["log"]?.setting(HARTape.key, to: nil)
    if log?["entries"]?.array != nil { log = log?.setting("entries", to: []) }
    let patch = JSONPatch.patch(from: bare, to: root.setting("log", to: log))
    guard calls != CallGroup.all(in: events).map(\.call) else { return patch }
    let order = JSONObject.Member(orderKey, .array(calls.map { .integer(Int64($0)) }))
    return .object(JSONObject([order] + (patch?.object?.members ?? [])))
  }

  /// The root with everything that `patch` says, and these entries.
  /// - Parameter tape: What `log` gets under `_launchtape`; nil for none.
  func root(
    patchedBy patch: JSON?, entries: [(call: Int, entry: JSON)], tape: JSON?
  ) -> JSON {
    var changes = patch?.object ?? [:]
    let order = changes[orderKey]?.array?.compactMap { $0.integer.flatMap(Int.init(exactly:)) } ?? []
    changes[orderKey] = nil
    var root = changes.isEmpty ? bare : JSONPatch.apply(.object(changes), to: bare)
    // A tape needs a log to stand in.
    if root["log"]?.object == nil, tape != nil || !entries.isEmpty { root = bare }
    var log = root["log"]
    if !entries.isEmpty || log?["entries"]?.array != nil {
      log = log?.setting("entries", to: .array(sorted(entries, by: order)))
    }
    if let tape { log = log?.setting(HARTape.key, to: tape) }
    return root.setting("log", to: log)
  }

  private func sorted(_ entries: [(call: Int, entry: JSON)], by order: [Int]) -> [JSON] {
    guard !order.isEmpty else { return entries.map(\.entry) }
    let places = Dictionary(order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let ranked = entries.enumerated().map { (places[$1.call] ?? .max, $0, $1.entry) }
    return ranked.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
  }
}

/// In the header's `har`: the calls in the order of the entries.
private let orderKey = "#"
