import LaunchHTTP
import LaunchJSON

/// Looks for known secrets in what was written, in every form they can take.
///
/// ```swift
/// let leaks = LeakScan(redactor).leaks(in: bytes)
/// ```
///
/// Looks into escapes, base64, and compressed content in base64, as far as it can be decoded. Never says what a secret is.
public struct LeakScan: Sendable {
  /// A secret that was found.
  public struct Leak: Hashable, Sendable {
    /// Counted from 1.
    public var line: Int
    /// What kind of secret.
    public var kind: String
    /// Whether it stands in the host of a URL, which redaction leaves as it is.
    public var isInHost = false
  }

  private let table: SecretTable
  private let unpacker: Unpacker?

  /// A scan for everything that `redactor` has learnt.
  public init(_ redactor: Redactor) {
    table = redactor.table
    unpacker = redactor.unpacker
  }

  /// The secrets that stand in a file, once for each line and kind, in the order of the lines.
  public func leaks(in file: [UInt8]) -> [Leak] {
    guard table.isSearching else { return [] }
    var leaks: [Leak] = []
    var number = 0
    var start = 0
    /// The first place from `start` on where a secret may stand: most lines need not be taken apart.
    var place = 0
    while start < file.count {
      if unpacker == nil, number > 0, place < start {
        guard let next = table.firstPlace(in: file, start..<file.count) else { break }
        place = next
      }
      let end = file.firstPlace(of: UInt8(ascii: "\n"), in: start..<file.count) ?? file.count
      let line = file[start..<end]
      start = end + 1
      number += 1
      if unpacker == nil, number > 1, place >= end { continue }
      let text = number == 1 ? line.headerTexts : Array(line.dropFirst(line.ownNumbers))
      var found = table.secrets(in: text)
      for content in compressedContents(of: text) { found.formUnion(table.secrets(in: content)) }
      let kinds = Set(found.map { table.secrets[$0].kind })
      let inHost = found.isEmpty ? [] : secretsInHost(of: line)
      leaks += kinds.sorted().map { Leak(line: number, kind: $0, isInHost: inHost.contains($0)) }
    }
    return leaks
  }

  /// The kinds of the secrets in the host that the request of a line went to.
  private func secretsInHost(of line: ArraySlice<UInt8>) -> Set<String> {
    guard let json = try? JSON(parsing: Array(line)), let url = json["request"]?["url"]?.string,
      let location = try? Location(parsing: url)
    else { return [] }
    return Set(table.secrets(in: Array(location.host.utf8)).map { table.secrets[$0].kind })
  }

  /// The secrets in a body that has a file of its own: the same, and what its bytes hold when they are compressed.
  public func leaks(inBody body: [UInt8]) -> [Leak] {
    guard table.isSearching else { return [] }
    let packed = unpacker?.findings(in: body, isEncoded: true).contents ?? []
    let kinds = Set(packed.flatMap { table.secrets(in: $0.bytes) }.map { table.secrets[$0].kind })
    return leaks(in: body) + kinds.sorted().map { Leak(line: 1, kind: $0) }
  }

  /// What the runs of base64 in `text` hold, when it is compressed.
  private func compressedContents(of text: [UInt8]) -> [[UInt8]] {
    guard let unpacker, text.count >= Self.shortestRun else { return [] }
    var contents: [[UInt8]] = []
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex { base64Value($0) == nil } ?? text.count
      if end - start >= Self.shortestRun, !text[start..<end].allSatisfy({ $0.hexValue != nil }),
        let run = Base64Run(in: text, around: start, groupAt: start),
        String(validating: run.bytes, as: UTF8.self) == nil
      {
        contents += unpacker.findings(in: run.bytes, isEncoded: true).contents.map(\.bytes)
      }
      start = end + 1
    }
    return contents
  }

  /// Longer than a UUID; nothing with a secret in it compresses to less.
  private static let shortestRun = 40
}

extension ArraySlice<UInt8> {
  /// Of a cassette's header, all but version and date, which are numbers. Any other line as it is.
  fileprivate var headerTexts: [UInt8] {
    guard starts(with: #"{"cassette":"#.utf8), var header = try? JSON(parsing: Array(self)).object else {
      return Array(self)
    }
    for name in ["cassette", "recorded"] { header[name] = nil }
    return JSON.object(header).serialized
  }

  /// How many bytes of a cassette's line hold only numbers of its own: `{"at":41377,`, and all of a chunk.
  fileprivate var ownNumbers: Int {
    let head = Array(#"{"at":"#.utf8)
    guard starts(with: head) else { return 0 }
    let digits = dropFirst(head.count).prefix(while: \.isDigit).count
    let isChunk = count < 100 && firstPlace(of: Array(#","chunk":{"bytes":"#.utf8)) != nil
    return isChunk ? count : head.count + digits
  }
}

/// Why a recording or a redacted copy was not kept: known secrets would be left in it.
public struct LeakError: Error, Hashable, Sendable {
  /// What was being written.
  public var path: String
  /// At least one.
  public var leaks: [LeakScan.Leak]

  public init(path: String, leaks: [LeakScan.Leak]) {
    self.path = path
    self.leaks = leaks
  }
}

extension LeakError: CustomStringConvertible {
  public var description: String {
    let places = leaks.prefix(5).map(\.description).joined(separator: ", ")
    let rest = leaks.count > 5 ? " and \(leaks.count - 5) more" : ""
    let hint =
      leaks.contains(where: \.isInHost)
      ? "; hosts stay as they are, so a rule must say that this is no secret: keep text matching WORD" : ""
    return "\(path) was not written: after redaction it would still hold \(places)\(rest)\(hint)"
  }
}

extension LeakScan.Leak: CustomStringConvertible {
  /// `a secret of the kind tenant on line 4, in the host of its URL`
  public var description: String {
    "a secret of the kind \(kind) on line \(line)\(isInHost ? ", in the host of its URL" : "")"
  }
}
