import LaunchJSON
import LaunchTrace

/// Makes a HAR of a whole cassette.
struct HARExporter {
  private let cassette: Cassette
  private let frame: HARFrame
  private let groups: [CallGroup]

  init(_ cassette: Cassette) {
    self.cassette = cassette
    frame = HARFrame(cassette.header)
    groups = CallGroup.all(in: cassette.events)
  }

  /// The HAR; a cassette that is nothing but an imported HAR becomes that one again, any other one gets a tape.
  var root: JSON {
    let patch = cassette.header.unknown[HARTape.patchKey]
    if patch != nil || !isRecorded {
      let root = frame.root(
        patchedBy: patch, entries: groups.map { ($0.call, entry(of: $0) ?? .null) }, tape: nil)
      var importer = HARImporter(root, name: cassette.name, attachment: { _ in nil })
      let again = importer.cassette()
      if again.header == cassette.header, again.events == cassette.events { return root }
    }
    return taped
  }

  /// Nothing tells of an import.
  private var isRecorded: Bool {
    !groups.contains { group in
      group.indices.first.map { cassette.events[$0].unknown[HARTape.patchKey] != nil } ?? false
    }
  }

  private var taped: JSON {
    var entries: [(call: Int, entry: JSON)] = []
    var isInEntry = Set<Int>()
    for group in groups {
      guard let first = group.indices.first, let bare = bareEntry(of: group) else { continue }
      isInEntry.formUnion(group.indices)
      let entry = self.entry(bare, patchedBy: cassette.events[first].unknown[HARTape.patchKey])
      var events = group.indices.map { HARTape.Placed(index: Int64($0), event: cassette.events[$0]) }
      events[0].event.unknown.leavePlace(for: JSONPatch.patch(from: bare, to: entry))
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

  /// The patched entry; the bare one where a tape could not stand in the patched.
  private func entry(_ bare: JSON, patchedBy patch: JSON?) -> JSON {
    guard let patch else { return bare }
    let entry = JSONPatch.apply(patch, to: bare)
    return entry.object != nil && entry[HARTape.key] == Optional.none ? entry : bare
  }

  /// The calls in the order of the entries.
  private func entriesOrder(of root: JSON) -> [Int] {
    (root["log"]?["entries"]?.array ?? []).compactMap {
      $0[HARTape.key]?["call"]?.integer.flatMap(Int.init(exactly:))
    }
  }

  private func bareEntry(of group: CallGroup) -> JSON? {
    HAREntryWriter(group.indices.map { cassette.events[$0] }, epoch: frame.epoch)?.entry
  }

  /// The entry with everything that an imported HAR said of it.
  private func entry(of group: CallGroup) -> JSON? {
    guard let bare = bareEntry(of: group) else { return nil }
    let patch = group.indices.first.flatMap { cassette.events[$0].unknown[HARTape.patchKey] }
    return patch.map { JSONPatch.apply($0, to: bare) } ?? bare
  }
}

extension JSONObject {
  /// Empties the member `har` where the importer will find the same `patch` again, so that it need not stand twice.
  fileprivate mutating func leavePlace(for patch: JSON?) {
    guard members.count(where: { $0.key == HARTape.patchKey }) == 1, self[HARTape.patchKey] == patch else { return }
    self[HARTape.patchKey] = [:]
  }
}
