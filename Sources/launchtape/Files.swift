import LaunchCassette
import LaunchContract
import LaunchFile
import LaunchReport

/// Reads what the command line names; warnings go to stderr, errors end the command.
enum Files {
  static func cassette(at path: String) throws(Failure) -> Cassette {
    do throws(CassetteError) {
      let cassette = try Cassette(path: path)
      for warning in cassette.warnings { Console.complain("\(warning)".printable) }
      return cassette
    } catch {
      throw Failure(message: "\(error)")
    }
  }

  /// The contract at `path`. A file with mistakes has all of them printed.
  static func contract(at path: String) throws -> Contract {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try readFile(path, limit: 16 << 20)
    } catch {
      throw Failure(message: "\(error)", next: "to verify another contract: --contract FILE")
    }
    do throws(ContractError) {
      let contract = try Contract(parsing: bytes, file: path)
      for warning in contract.warnings { Console.complain("\(warning)") }
      return contract
    } catch {
      Console.complain("\(error)")
      let count = error.diagnostics.count { $0.severity == .error }
      throw Failure(message: "\(path) has \(count == 1 ? "a mistake" : "\(count) mistakes"); nothing was verified")
    }
  }
}
