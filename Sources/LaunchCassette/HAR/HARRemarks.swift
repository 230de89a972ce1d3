/// What was repaired while a HAR was read, each with the place in it.
struct HARRemarks {
  struct Remark: Hashable {
    /// The index in `log.entries`; nil for what concerns the whole file.
    var entry: Int?
    /// `log.entries[12].timings.wait: -3.5 is negative; taken as unknown`
    var message: String
  }

  private(set) var all: [Remark] = []
  /// The entry that is being read.
  var entry: Int?

  init(entry: Int? = nil) { self.entry = entry }

  /// Adds the remarks on one entry behind the others.
  mutating func add(_ remarks: HARRemarks) { all += remarks.all }

  /// Notes what was found at `path`, counted from the entry being read, else from the root, and what was done.
  mutating func add(_ path: String, _ message: String) {
    guard let entry else {
      all.append(Remark(entry: nil, message: "\(path): \(message)"))
      return
    }
    let place = path.isEmpty ? "log.entries[\(entry)]" : "log.entries[\(entry)].\(path)"
    all.append(Remark(entry: entry, message: "\(place): \(message)"))
  }
}
