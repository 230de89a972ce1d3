import LaunchHTTP
import LaunchJSON

/// Looks for known secrets in what was written, in every form they can take.
///
/// ```swift
/// let leaks = LeakScan(redactor, decoders: [gunzip]).leaks(in: bytes)
/// ```
///
/// Looks into escapes, base64, and compressed content in base64. Never says what a secret is.
public struct LeakScan: Sendable {
  /// Undoes a content encoding; nil for bytes that are not encoded so.
  public typealias Decoder = @Sendable ([UInt8]) -> [UInt8]?

  /// A secret that was found.
  public struct Leak: Hashable, Sendable {
    /// Counted from 1.
    public var line: Int
    /// What kind of secret.
    public var kind: String
  }

  private let table: SecretTable
  private let decoders: [Decoder]

  /// A scan for everything that `redactor` has learnt.
  public init(_ redactor: Redactor, decoders: [Decoder] = []) {
    table = redactor.table
    self.decoders = decoders
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
      if decoders.isEmpty, number > 0, place < start {
        guard let next = table.firstPlace(in: file, start..<file.count) else { break }
        place = next
      }
      let end = file.firstPlace(of: UInt8(ascii: "\n"), in: start..<file.count) ?? file.count
      let line = file[start..<end]
      start = end + 1
      number += 1
      if decoders.isEmpty, number > 1, place >= end { continue }
      let text = number == 1 ? line.headerTexts : Array(line.dropFirst(line.ownNumbers))
      var found = table.secrets(in: text)
      for content in compressedContents(of: text) { found.formUnion(table.secrets(in: content)) }
      let kinds = Set(found.map { table.secrets[$0].kind })
      leaks += kinds.sorted().map { Leak(line: number, kind: $0) }
    }
    return leaks
  }

  /// What the runs of base64 in `text` hold, when it is compressed.
  private func compressedContents(of text: [UInt8]) -> [[UInt8]] {
    guard !decoders.isEmpty, text.count >= Self.shortestRun else { return [] }
    var contents: [[UInt8]] = []
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex { base64Value($0) == nil } ?? text.count
      if end - start >= Self.shortestRun, !text[start..<end].allSatisfy({ $0.hexValue != nil }),
        let run = Base64Run(in: text, around: start, groupAt: start),
        String(validating: run.bytes, as: UTF8.self) == nil
      {
        contents += decoders.compactMap { $0(run.bytes) }
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
    let places = leaks.prefix(5).map { "a secret of the kind \($0.kind) on line \($0.line)" }.joined(separator: ", ")
    let rest = leaks.count > 5 ? " and \(leaks.count - 5) more" : ""
    return "\(path) was not written: after redaction it would still hold \(places)\(rest)"
  }
}
