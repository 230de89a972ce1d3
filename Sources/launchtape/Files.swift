import LaunchCassette
import LaunchClients
import LaunchCodings
import LaunchContract
import LaunchDiagnostics
import LaunchFile
import LaunchReport
import LaunchTrace

/// Reads what the command line names; warnings go to stderr, errors end the command.
enum Files {
  /// The formats that `cassette(at:)` reads, for help texts.
  static let formats =
    "a cassette, a HAR (.har, .zhar, .zip), a VCR file (.json), or a console log with [waitingTime] lines"

  /// The recording at `path`, in any of the formats: told apart by its name, else by what it begins with.
  static func cassette(at path: String) throws(Failure) -> Cassette {
    do throws(CassetteError) {
      let cassette = try read(path)
      for warning in cassette.warnings { Console.complain("\(warning)".printable) }
      return cassette
    } catch {
      throw Failure(message: "\(error)")
    }
  }

  /// The console log at `path`, or another recording with marks, and its warnings on stderr.
  static func log(at path: String) throws(Failure) -> Cassette {
    do throws(CassetteError) {
      let log = try read(path)
      for warning in log.warnings { Console.complain("\(warning)".printable) }
      return log
    } catch {
      guard case .file(let error) = error else {
        throw Failure(message: "\(path) is no console log with [waitingTime] lines, and nothing else that has marks")
      }
      throw Failure(message: "\(error); nothing was merged", next: "name a log that can be read: --log FILE")
    }
  }

  /// The recording at `path`, without a word on what is doubtful about it.
  private static func silentCassette(at path: String) throws(Failure) -> Cassette {
    do throws(CassetteError) { return try read(path) } catch { throw Failure(message: "\(error)") }
  }

  /// The contract at `path`. A file with mistakes has all of them printed; reports tell its warnings.
  static func contract(at path: String) throws -> Contract {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try readFile(path, limit: contractLimit)
    } catch {
      throw Failure(message: "\(error)", next: "to verify another contract: --contract FILE")
    }
    do throws(DiagnosticsError) {
      return try Contract(parsing: bytes, file: path, include: included)
    } catch {
      Console.complain("\(error)")
      let count = error.diagnostics.count { $0.severity == .error }
      throw Failure(message: "\(path) has \(count == 1 ? "a mistake" : "\(count) mistakes"); nothing was verified")
    }
  }

  /// More than any contract has; what is larger is another file.
  static let contractLimit = 16 << 20

  /// The content of a file that a contract includes.
  static func included(_ path: String) throws -> [UInt8] { try readFile(path, limit: contractLimit) }

  /// A recording on its way to a contract.
  enum Recording: ~Copyable {
    /// A cassette, which need not be in memory as a whole.
    case stream(CassetteStream)
    case whole(Cassette)
  }

  /// What messages call `-`.
  static let standardInput = "standard input"

  /// The recording at `path`, in any of the formats; `-` is standard input. Says nothing of its warnings.
  static func recording(at path: String) throws(Failure) -> Recording {
    if path == "-" { return try recordingOnStandardInput() }
    guard [".cassette", ".part"].contains(where: path.lowercased().hasSuffix) else {
      return .whole(try silentCassette(at: path))
    }
    do throws(CassetteError) { return .stream(try CassetteStream(path: path)) } catch {
      throw Failure(message: "\(error)")
    }
  }

  private static func recordingOnStandardInput() throws(Failure) -> Recording {
    do {
      var blocks = try FileBlocks("/dev/stdin")
      guard try !Cassette.looksLikeCassette(blocks.peek()) else {
        return .stream(try CassetteStream(blocks, name: standardInput))
      }
      let bytes = try blocks.readToEnd()
      guard let cassette = try importing(bytes, path: standardInput) ?? har(bytes) else {
        throw Failure(message: "\(standardInput) is none of these: \(formats)")
      }
      return .whole(cassette)
    } catch {
      throw error as? Failure ?? Failure(message: "\(error)")
    }
  }

  private static func har(_ bytes: [UInt8]) throws(CassetteError) -> Cassette? {
    guard Cassette.looksLikeHAR(bytes) else { return nil }
    return try Cassette(har: bytes, path: standardInput) { decoded($0, from: "deflate") }
  }

  private static func read(_ path: String) throws(CassetteError) -> Cassette {
    let name = path.lowercased()
    let isNamed = [".cassette", ".part", ".har", ".zhar", ".zip"].contains(where: name.hasSuffix)
    guard !isNamed, fileExists(path) else { return try Cassette(file: path) { decoded($0, from: "deflate") } }
    // Once: what a pipe gave is gone.
    let bytes: [UInt8]
    do throws(FileError) { bytes = try readFile(path) } catch { throw .file(error) }
    if let cassette = try importing(bytes, path: path) { return cassette }
    return try Cassette(read: bytes, from: path) { decoded($0, from: "deflate") }
  }

  /// A VCR file or a console log; nil for anything else.
  private static func importing(_ bytes: [UInt8], path: String) throws(CassetteError) -> Cassette? {
    if Cassette.looksLikeVCR(bytes) { return try Cassette(vcr: bytes, path: path) { decoded($1, from: $0) } }
    guard bytes.first != UInt8(ascii: "{") else { return nil }
    let log = WaitingTimeImport(String(decoding: bytes, as: UTF8.self))
    return log.events.isEmpty ? nil : Cassette(log, path: path)
  }

  /// The content that a content encoding was made of; nil when it cannot be undone.
  static func decoded(_ bytes: [UInt8], from encoding: String) -> [UInt8]? {
    guard let decoder = ContentDecoder(encoding: encoding), let content = try? decoder.decode(bytes),
      (try? decoder.finish()) != nil
    else { return nil }
    return content
  }
}

extension Cassette {
  /// A console log as a cut recording of marks, whose order is that of their times.
  init(_ log: WaitingTimeImport, path: String) {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    var header = CassetteHeader(name: file.split(separator: ".").first.map(String.init) ?? file)
    header.order = .time(log.order)
    self.init(header: header, events: log.events)
    warnings = log.remarks.map {
      Diagnostic(severity: .warning, path: path, line: $0.line, column: 1, message: $0.message)
    }
  }
}
