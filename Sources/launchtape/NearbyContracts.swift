import LaunchFile

/// The contracts that belong to a recording, for who names none: every `*.contract` in the nearest folder `contracts`.
///
/// Looked for beside the recording and in the folders above it, up to the one that holds a `Package.swift`; then in the
/// current folder.
enum NearbyContracts {
  static let help = "the *.contract in the nearest folder contracts"

  /// The paths, sorted by name; never none.
  /// - Throws: `Failure` that says where there are none.
  static func paths(for recording: String) throws(Failure) -> [String] {
    let places = places(near: recording)
    for place in places {
      let names = ((try? fileNames(in: place)) ?? []).filter { $0.hasSuffix(".contract") }
      if !names.isEmpty { return names.map { joinPath(place, $0) } }
    }
    throw Failure(
      message: "no contract belongs to \(recording): there is no *.contract in \(places.joined(separator: ", "))",
      next: "name one: --contract FILE")
  }

  private static func places(near recording: String) -> [String] {
    var folder = parentFolder(of: absolutePath(recording))
    var folders = [folder]
    while !fileExists(joinPath(folder, "Package.swift")), parentFolder(of: folder) != folder {
      folder = parentFolder(of: folder)
      folders.append(folder)
    }
    let current = parentFolder(of: absolutePath("x"))
    if !folders.contains(current) { folders.append(current) }
    // Below the current folder, paths are written as people write them.
    return folders.map { folder in
      let place = joinPath(folder, "contracts")
      return place.hasPrefix(current + "/") ? String(place.dropFirst(current.count + 1)) : place
    }
  }
}
