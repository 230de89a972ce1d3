package import LaunchFile
import LaunchHTTP
public import LaunchTrace

/// A cassette read part by part, for traces larger than memory and for pipes.
///
/// ```swift
/// var stream = try CassetteStream(path: "long.cassette")
/// while let events = try stream.next() {
///   for event in events { monitor.step(event) }
/// }
/// ```
///
/// Costs memory for a quarter of a megabyte or the longest line, whatever the length of the file. What the file tells and
/// what is wrong with it is the same as `Cassette` says. Errors are thrown at the end, so what came before is worth
/// nothing until `next()` has returned nil.
public struct CassetteStream: ~Copyable {
  /// The first line; of blocks that begin with an event at once, a header with their name.
  public let header: CassetteHeader
  private let source: CassetteSource
  private var blocks: FileBlocks
  private var parser: CassetteParser
  /// The last line read, and the beginning of one whose end has not been read: what the file ends with is told apart.
  private var rest: [UInt8] = []
  private var isLast: Bool
  private var isStarted = false
  private var isDone = false

  /// Begins to read the cassette at `path`, or the cut recording at `PATH.part` when only that is there; a pipe as well.
  /// Large bodies are read from the folder `PATH.bodies`.
  /// - Throws: `CassetteError` when it cannot be opened or read, or has no header.
  public init(path: String) throws(CassetteError) {
    let source = CassetteSource(path)
    try self.init(Self.open(source.path), source, needsHeader: true)
  }

  private static func open(_ path: String) throws(CassetteError) -> FileBlocks {
    do throws(FileError) { return try FileBlocks(path) } catch { throw .file(error) }
  }

  /// Goes on reading `blocks`, which messages call `name` and which may begin with an event at once. Large bodies are missing
  /// there.
  package init(_ blocks: consuming FileBlocks, name: String) throws(CassetteError) {
    try self.init(blocks, CassetteSource(name), needsHeader: false)
  }

  private init(
    _ blocks: consuming FileBlocks, _ source: CassetteSource, needsHeader: Bool
  ) throws(CassetteError) {
    var rest: [UInt8] = []
    let part: (bytes: [UInt8], isLast: Bool)
    do throws(FileError) { part = try Self.part(of: &blocks, &rest) } catch { throw .file(error) }
    var parser = CassetteParser(
      part.bytes, path: source.path, isLast: part.isLast, detachesRequests: true, loadBody: source.loadBody)
    let header =
      needsHeader || parser.beginsWithHeader
      ? try parser.header() : CassetteHeader(name: cassetteName(of: source.path), recorded: "", by: "")
    self.source = source
    self.blocks = blocks
    self.parser = parser
    self.header = header
    self.rest = rest
    isLast = part.isLast
  }

  /// What could be read so far but should be looked at, in the order of the lines.
  public var warnings: [Cassette.Diagnostic] { source.warnings + parser.warnings }

  /// The next events, in order and perhaps none; nil at the end.
  /// - Throws: `CassetteError`; `malformed` carries everything that is wrong, not only the first.
  public mutating func next() throws(CassetteError) -> [Event]? {
    if isDone { return nil }
    if isStarted {
      if isLast || parser.isHopeless {
        isDone = true
        try parser.finish()
        return nil
      }
      let part: (bytes: [UInt8], isLast: Bool)
      do throws(FileError) { part = try Self.part(of: &blocks, &rest) } catch { throw .file(error) }
      isLast = part.isLast
      parser.move(to: part.bytes, isLast: isLast)
    }
    isStarted = true
    return parser.events()
  }

  /// Whole lines, all but the last one that is there.
  private static func part(
    of blocks: inout FileBlocks, _ rest: inout [UInt8]
  ) throws(FileError) -> (bytes: [UInt8], isLast: Bool) {
    let lineFeed = UInt8(ascii: "\n")
    while true {
      let block = try blocks.next()
      guard !block.isEmpty else {
        defer { rest = [] }
        return (rest, true)
      }
      guard let last = block.lastIndex(of: lineFeed) else {
        rest += block
        continue
      }
      // The line before the last may have begun in an earlier block.
      let end = block[..<last].lastIndex(of: lineFeed)
      let bytes: [UInt8]
      if let end {
        bytes = rest + block[...end]
        rest = Array(block[(end + 1)...])
      } else if let end = rest.lastIndex(of: lineFeed) {
        bytes = Array(rest[...end])
        rest = rest[(end + 1)...] + block
      } else {
        rest += block
        continue
      }
      return (bytes, false)
    }
  }
}

extension Cassette {
  /// Whether bytes begin as the lines of a cassette do: with its header, or with an event at once.
  package static func looksLikeCassette(_ bytes: [UInt8]) -> Bool {
    let beginning = bytes.prefix(64).filter { $0 > 0x20 }
    return [#"{"cassette":"#, #"{"at":"#].contains { beginning.starts(with: $0.utf8) }
  }
}
