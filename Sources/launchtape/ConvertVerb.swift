import LaunchCassette
import LaunchFile
import LaunchReport
import LaunchTrace

/// Turns one file format into another, told by the endings.
@MainActor
enum ConvertVerb {
  static let usage = Usage(
    verb: "convert", paths: "IN OUT", pathCount: 2...2,
    summary: "turns a HAR into a cassette, or a cassette into a HAR",
    details: """
      OUT is a .cassette or a .har. IN is a cassette, a HAR (.har, .zhar), or a zip file with a HAR and its bodies. What had
      to be repaired in IN is printed with its place. Nothing is lost: the way back gives IN again.
      """,
    options: [.init("force", nil, "replace OUT if it exists")],
    example: "launchtape convert cassettes/first-launch.cassette first-launch.har")

  static func run(_ arguments: Arguments) async throws -> ExitCode {
    let (input, output) = (arguments.paths[0], arguments.paths[1])
    guard let format = Format(path: output) else {
      throw Failure.usage("\(output) has no ending that says its format: .cassette or .har", verb: usage.verb)
    }
    guard arguments.has("force") || !pathExists(output) else {
      throw Failure(message: "\(output) exists and stays as it is", next: "to replace it: add --force")
    }
    let cassette = try Files.cassetteOrHAR(at: input)
    do throws(FileError) { try writeFile(format.bytes(of: cassette), to: output) } catch {
      throw Failure(message: "\(error)")
    }
    Console.print("\(output): \(cassette.trace.summary)")
    return .holds
  }

  /// What can be written.
  private enum Format: String, CaseIterable {
    case cassette, har

    init?(path: String) {
      guard let format = Self.allCases.first(where: { path.lowercased().hasSuffix(".\($0.rawValue)") }) else {
        return nil
      }
      self = format
    }

    func bytes(of cassette: Cassette) -> [UInt8] {
      switch self {
      case .cassette: cassette.serialized
      case .har: cassette.har
      }
    }
  }
}
