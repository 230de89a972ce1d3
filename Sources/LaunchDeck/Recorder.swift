import LaunchCassette
import LaunchFile
public import LaunchHTTP

/// Records what a launch sends, receives and marks into a cassette.
///
/// ```swift
/// try await Recorder(path: "first-launch.cassette", by: "launchtape 0.1.0").record(over: transport) { tap in
///   tap.mark("splash launch")
///   try await AppLaunch(transport: tap).run()
/// }
/// ```
public struct Recorder: Sendable {
  /// Where the cassette goes. Its name is the file's, without `.cassette`.
  public var path: String
  /// What the cassette says it was made by.
  public var by: String
  /// Whether a cassette at the path is replaced, once the new one is complete. If not, recording over it fails.
  public var replaces: Bool

  public init(path: String, by: String, replaces: Bool = false) {
    self.path = path
    self.by = by
    self.replaces = replaces
  }

  /// Runs the launch over `transport` and writes the cassette.
  ///
  /// The cassette takes its name at the end; until then, and for good when the launch throws, `PATH.part` holds what was
  /// recorded, as a cut trace, and an older cassette stays as it was.
  /// - Throws: What the launch throws; `FileError` when something could not be written, whenever that was.
  public func record<Value>(
    over transport: any Transport, _ launch: (Tap) async throws -> Value
  ) async throws -> Value {
    let header = CassetteHeader(
      name: cassetteName(of: path), microsecondsSince1970: microsecondsSince1970(), by: by)
    let writer = try CassetteWriter(path: path, header: header, replaces: replaces)
    let tap = Tap(transport, sinks: [writer])
    do {
      let value = try await launch(tap)
      tap.finish()
      try writer.close()
      return value
    } catch {
      writer.abandon()
      throw error
    }
  }
}
