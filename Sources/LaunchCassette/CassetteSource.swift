import LaunchFile

/// Where a cassette of a given path is read from: the file itself, or what a cut recording left of it.
struct CassetteSource {
  let path: String
  private(set) var warnings: [Cassette.Diagnostic] = []

  init(_ wanted: String) {
    let part = wanted + ".part"
    let hasPart = regularFileExists(part)
    let isPart = hasPart && !fileExists(wanted)
    path = isPart ? part : wanted
    guard hasPart else { return }
    let message =
      isPart
      ? "\(wanted) does not exist; this is what a recording into it left when it was cut off"
      : "a recording into it goes on or was cut off: \(part) holds what there is of it"
    warnings = [Cassette.Diagnostic(severity: .warning, path: path, line: 1, column: 1, message: message)]
  }

  /// Large bodies stand in a folder beside the file.
  var loadBody: BodyLoader {
    let folder = BodyFile.folder(ofCassette: path)
    return { (name) throws(FileError) in try readFile(joinPath(folder, name)) }
  }
}
