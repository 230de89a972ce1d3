public import LaunchFile
import LaunchJSON
public import LaunchTrace

/// A recording read from disk.
///
/// ```swift
/// let cassette = try Cassette(path: "first-launch.cassette")
/// for warning in cassette.warnings { print(warning) }
/// for event in cassette.events { print(event.at.microseconds, event.kind) }
/// ```
///
/// Every line is checked, and so is the order of the events (see `EventOrder`). What a careful edit by hand may leave is
/// a warning: a wrong event count, a body that no longer has the length its chunks say, members that stand twice. Blank
/// lines and CR LF are read and not kept. A recording that was cut off reads as far as it goes: without the closing
/// line, and without a last line that is not complete JSON.
public struct Cassette: Hashable, Sendable {
  public var header: CassetteHeader
  /// The events, closing one included, under the header's name.
  public var trace: Trace
  /// What could be read but should be looked at, in the order of the lines.
  public var warnings: [Diagnostic]

  /// The header's name.
  public var name: String { header.name }
  /// The events of the trace, closing one included.
  public var events: [Event] { trace.events }

  /// A recording made in memory. Nothing checks the order of the events until it is read from its file.
  public init(header: CassetteHeader, events: [Event]) {
    self.header = header
    trace = Trace(name: header.name, events: events, order: header.order)
    warnings = []
  }

  /// Reads the cassette at `path`, or the cut recording at `PATH.part` when only that is there. Large bodies are read from
  /// the folder `PATH.bodies`.
  /// - Throws: `CassetteError`; `malformed` carries everything that is wrong, not only the first.
  public init(path: String) throws(CassetteError) {
    let source = CassetteSource(path)
    let bytes: [UInt8]
    do throws(FileError) { bytes = try readFile(source.path) } catch { throw .file(error) }
    try self.init(parsing: bytes, path: source.path, loadBody: source.loadBody)
    warnings = source.warnings + warnings
  }

  /// Reads a cassette from memory. Costs no more than the text is long. Bodies stay parts of `bytes` until somebody asks
  /// for them.
  /// - Parameters:
  ///   - path: What messages call it; its last part names a trace whose header has no name.
  ///   - loadBody: Gives the content of a body that stands in a file of its own, by the file's name. Without it, such a
  ///     body is an error.
  /// - Throws: `CassetteError`; `malformed` carries everything that is wrong, not only the first.
  public init(
    parsing bytes: [UInt8], path: String, loadBody: ((_ name: String) throws(FileError) -> [UInt8])? = nil
  ) throws(CassetteError) {
    var parser = CassetteParser(bytes, path: path, loadBody: loadBody)
    let header = try parser.header()
    let events = parser.events()
    try parser.finish()
    self.init(header: header, events: events)
    warnings = parser.warnings
  }

  /// The cassette as its file, with every body in it, however large.
  public var serialized: [UInt8] {
    var writer = JSONWriter()
    header.encode(into: &writer)
    var encoder = EventEncoder()
    for event in events { encoder.encode(event, into: &writer) }
    return writer.bytes
  }

  /// The cassette as its file: what `CassetteWriter` would have written.
  /// - Parameters:
  ///   - bodyLimit: Bodies with more bytes go to `store`.
  ///   - store: Keeps a body under the name that the text has for it.
  /// - Throws: What `store` throws.
  package func serialized(
    bodyLimit: Int = EventEncoder.bodyLimit, storing store: EventEncoder.BodyStore
  ) throws(FileError) -> [UInt8] {
    var writer = JSONWriter()
    header.encode(into: &writer)
    var encoder = EventEncoder(bodyLimit: bodyLimit)
    for event in events { try encoder.encode(event, into: &writer, store: store) }
    return writer.bytes
  }
}
