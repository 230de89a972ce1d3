import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// Makes a cassette of a whole HAR.
///
/// What the cassette has no place for is kept as a `JSONPatch` from the entry that its events would be written as to the
/// entry that was read: in the member `har` of the request's line, and for all around the entries, of the header.
struct HARImporter {
  let root: JSON
  /// What the cassette is called, unless the HAR says it.
  let name: String
  let attachments: HARAttachments
  private(set) var remarks = HARRemarks()

  init(_ root: JSON, name: String, attachments: HARAttachments) {
    self.root = root
    self.name = name
    self.attachments = attachments
  }

  mutating func cassette() -> Cassette {
    let log = root["log"]
    checkFrame(log)
    let entries = entries(of: log)
    let creator = HARCreator(log)
    let tape = log?[HARTape.key]
    let header = tape?["header"]?.object.flatMap(HARTape.header)
    var calls = CallTable(epoch: header.flatMap { HARDate($0.recorded)?.microseconds })
    if header != nil { calls.add(events(of: tape)) }
    for (index, entry) in entries.enumerated() {
      remarks.entry = index
      if let header, let taped = HAREntryTape(entry).events {
        let (events, isRetimed) = reconciled(taped.events, with: entry, creator, HARFrame(header).epoch)
        if calls.add(events, as: taped.call, entry: index, isRetimed: isRetimed) {
          if isRetimed {
            remarks.add("", "its times were changed since it was written; they count, not those in _launchtape")
          }
          continue
        }
      }
      if entry[HARTape.key] != nil {
        remarks.add(HARTape.key, "cannot be used, or stands for a call that is there already; read as any other entry")
      }
      var reader = HAREntryReader(entry: entry, creator: creator, remarks: HARRemarks(entry: index))
      calls.add(reader.call(), entry: index)
      remarks.add(reader.remarks)
    }
    remarks.entry = nil
    remarkForeignURLs(entries)

    var (events, callOfEntry) = calls.events(isTaped: header != nil)
    let recorded = calls.epoch.map { HARDate.text(microsecondsSince1970: $0) } ?? ""
    var newHeader =
      header
      ?? CassetteHeader(
        name: name, recorded: recorded, by: maker(of: log), order: .time(TimeOrder(resolution: calls.resolution)))
    keepPatches(entries, callOfEntry, &events, &newHeader)
    return Cassette(header: newHeader, events: events)
  }

  private mutating func checkFrame(_ log: JSON?) {
    let version = log?["version"]?.harText ?? ""
    if version.isEmpty {
      remarks.add("log.version", "is missing; read as version 1.1")
    } else if !["1.1", "1.2", "1.3"].contains(version) {
      remarks.add("log.version", "\(JSON.string(version).shown) is not a version from 1.1 to 1.3; read like these")
    }
    if log?["creator"]?.object == nil { remarks.add("log.creator", "is missing") }
  }

  /// The entries with the bodies that stand in files.
  private mutating func entries(of log: JSON?) -> [JSON] {
    guard let entries = log?["entries"]?.array else {
      remarks.add("log.entries", "is missing; the HAR has no calls")
      return []
    }
    return entries.enumerated().map { index, entry in
      remarks.entry = index
      defer { remarks.entry = nil }
      return attachments.including(entry, &remarks)
    }
  }

  private func maker(of log: JSON?) -> String {
    let parts = [log?["creator"]?["name"]?.harText, log?["creator"]?["version"]?.harText]
    return parts.compactMap { $0?.isEmpty == false ? $0 : nil }.joined(separator: " ")
  }

  /// The events that stand in no entry.
  private mutating func events(of tape: JSON?) -> [HARTape.Placed] {
    (tape?["events"]?.array ?? []).compactMap { line in
      guard let index = line[0]?.integer, let event = line[1]?.object.flatMap(HARTape.event) else {
        remarks.add("log.\(HARTape.key).events", "\(line.shown) is no event; left out")
        return nil
      }
      return HARTape.Placed(index: index, event: event)
    }
  }

  /// A call's events at the times of its entry, if somebody changed those, and whether somebody did.
  private func reconciled(
    _ events: [HARTape.Placed], with entry: JSON, _ creator: HARCreator, _ epoch: Int64
  ) -> (events: [HARTape.Placed], isRetimed: Bool) {
    let clock = HARClock(entry.setting(HARTape.key, to: nil), creator: creator, epoch: epoch)
    let told = events.map(\.event)
    guard !clock.agrees(with: told) else { return (events, false) }
    var retimed = zip(events, clock.retimed(told)).map { HARTape.Placed(index: $0.index, event: $1) }
    // Whatever the entry says beyond the call, it says it of these times.
    retimed[0].event.unknown[HARTape.patchKey] = nil
    return (retimed, true)
  }

  /// One remark for all: browsers list what they load from themselves, too, by the dozen.
  private mutating func remarkForeignURLs(_ entries: [JSON]) {
    let schemes = entries.map { $0["request"]?["url"]?.harText.flatMap(HAREntryReader.foreignScheme) }
    guard let first = schemes.firstIndex(where: { $0 != Optional.none }) else { return }
    let found = schemes.compactMap(\.self)
    let names = Set(found).sorted().map { "\($0):" }.joined(separator: ", ")
    remarks.entry = first
    remarks.add(
      "request.url",
      "\(names) is not HTTP\(found.count > 1 ? ", as in \(found.count) entries" : ""); kept for the way back to a HAR, "
        + "and never replayed")
    remarks.entry = nil
  }

  private func keepPatches(
    _ entries: [JSON], _ callOfEntry: [Int], _ events: inout [Event], _ header: inout CassetteHeader
  ) {
    let frame = HARFrame(header)
    let fromRoot = frame.patch(to: root, calls: callOfEntry, in: events)
    header.unknown.fillPatch(fromRoot)
    let entryOfCall = Dictionary(zip(callOfEntry, entries), uniquingKeysWith: { first, _ in first })
    for group in CallGroup.all(in: events) {
      guard let entry = entryOfCall[group.call],
        let writer = HAREntryWriter(group.indices.map { events[$0] }, epoch: frame.epoch),
        let first = group.indices.first
      else { continue }
      let patch = writer.patch(to: entry.setting(HARTape.key, to: nil))
      events[first].unknown.fillPatch(patch)
    }
  }
}

extension JSONObject {
  /// Keeps a patch under `har`: in the place that a tape left open for it, else as the last member. A patch that is there
  /// already stays.
  fileprivate mutating func fillPatch(_ patch: JSON?) {
    if let old = self[HARTape.patchKey] {
      if old == [:], let patch { self[HARTape.patchKey] = patch }
    } else if let patch {
      members.append(Member(HARTape.patchKey, patch))
    }
  }
}

/// The events of one call.
struct CallGroup {
  var call: Int
  /// Their places in the trace.
  var indices: [Int]

  /// Every call that begins with its request, in the order of the requests.
  static func all(in events: [Event]) -> [CallGroup] {
    var groups: [CallGroup] = []
    var places: [Int: Int] = [:]
    for (index, event) in events.enumerated() {
      guard case .call(let call, let step) = event.kind else { continue }
      if let place = places[call] {
        groups[place].indices.append(index)
      } else if case .request = step {
        places[call] = groups.count
        groups.append(CallGroup(call: call, indices: [index]))
      }
    }
    return groups
  }
}
