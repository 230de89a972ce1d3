import LaunchJSON
import LaunchTrace

/// Makes a HAR of a whole cassette.
struct HARExporter {
  private let cassette: Cassette
  private let frame: HARFrame
  /// Of the HAR that was imported.
  private let creator: HARCreator
  private let groups: [CallGroup]

  init(_ cassette: Cassette) {
    self.cassette = cassette
    frame = HARFrame(cassette.header)
    let patch = cassette.header.unknown[HARTape.patchKey]
    creator = HARCreator(frame.root(patchedBy: patch, entries: [], tape: nil)["log"])
    groups = CallGroup.all(in: cassette.events)
  }

  /// The HAR; a cassette that is nothing but an imported HAR becomes that one again, any other one gets a tape.
  var root: JSON {
    let patch = cassette.header.unknown[HARTape.patchKey]
    if patch != Optional.none || groups.contains(where: { self.patch(of: $0) != Optional.none }) {
      let entries = groups.compactMap { group in
        writer(of: group).map { (group.call, $0.entry(patchedBy: self.patch(of: group))) }
      }
      let root = frame.root(patchedBy: patch, entries: entries, tape: nil)
      var importer = HARImporter(root, name: cassette.name, attachments: HARAttachments { _ in nil })
      let again = importer.cassette()
      if again.header == cassette.header, again.events == cassette.events { return root }
    }
    return taped
  }

  private var taped: JSON {
    var entries: [(call: Int, entry: JSON)] = []
    var isInEntry = Set<Int>()
    for group in groups {
      guard let writer = writer(of: group) else { continue }
      isInEntry.formUnion(group.indices)
      let patched = writer.entry(patchedBy: currentPatch(of: group, writer))
      // A tape must have an object to stand in.
      let canHoldTape = patched.object != nil && patched[HARTape.key] == Optional.none
      let entry = canHoldTape ? patched : writer.entry
      var events = group.indices.map { HARTape.Placed(index: Int64($0), event: cassette.events[$0]) }
      if patch(of: group) != Optional.none { events[0].event.unknown.leavePlace(for: writer.patch(to: entry)) }
      let tape = HAREntryTape(entry).tape(call: group.call, events)
      entries.append((group.call, entry.setting(HARTape.key, to: tape)))
    }
    let others = cassette.events.indices.filter { !isInEntry.contains($0) }.map { index in
      JSON.array([.integer(Int64(index)), .object(HARTape.line(cassette.events[index]))])
    }
    var header = cassette.header
    let patch = header.unknown[HARTape.patchKey]
    let root = frame.root(patchedBy: patch, entries: entries, tape: [:])
    header.unknown.leavePlace(
      for: frame.patch(to: root, calls: entriesOrder(of: root), in: cassette.events))
    let tape: JSON = ["header": .object(HARTape.line(header)), "events": .array(others)]
    return root.setting("log", to: root["log"]?.setting(HARTape.key, to: tape))
  }

  /// The calls in the order of the entries.
  private func entriesOrder(of root: JSON) -> [Int] {
    (root["log"]?["entries"]?.array ?? []).compactMap {
      $0[HARTape.key]?["call"]?.integer.flatMap(Int.init(exactly:))
    }
  }

  private func writer(of group: CallGroup) -> HAREntryWriter? {
    HAREntryWriter(group.indices.map { cassette.events[$0] }, epoch: frame.epoch)
  }

  /// What an imported HAR said of the call, without what the call was edited away from since.
  private func currentPatch(of group: CallGroup, _ writer: HAREntryWriter) -> JSON? {
    guard let patch = patch(of: group) else { return nil }
    let events = group.indices.map { cassette.events[$0] }
    let clock = HARClock(writer.entry(patchedBy: patch), creator: creator, epoch: frame.epoch)
    var stale: [String] = []
    if !clock.agrees(with: events) { stale += ["startedDateTime", "time", "timings"] }
    if !clock.hasRequest(of: events) { stale.append("request") }
    if !clock.hasAnswer(of: events) { stale.append("response") }
    return stale.isEmpty ? patch : JSONPatch.removing(stale, from: patch)
  }

  /// What an imported HAR said of the call beyond it.
  private func patch(of group: CallGroup) -> JSON? {
    group.indices.first.flatMap { cassette.events[$0].unknown[HARTape.patchKey] }
  }
}

extension JSONObject {
  /// Empties the member `har` where the importer will find the same `patch` again, so that it need not stand twice.
  fileprivate mutating func leavePlace(for patch: JSON?) {
    guard members.count(where: { $0.key == HARTape.patchKey }) == 1, self[HARTape.patchKey] == patch else { return }
    self[HARTape.patchKey] = [:]
  }
}
