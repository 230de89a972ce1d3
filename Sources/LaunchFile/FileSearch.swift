/// Finds a file that belongs to a source file: beside it, or in the folder `folder` (`cassettes`, `contracts`) of its
/// own folder or of one above, up to and including the one that holds `Package.swift`.
///
/// ```swift
/// try findFile(named: "first-launch.cassette", inFolder: "cassettes", startingAt: #filePath)
/// ```
///
/// The nearest one wins. Without a `Package.swift` the search ends at the root. An absolute `name` is taken as it is.
/// - Throws: `FileError` with the operation `find`, its reason listing every place looked at, nearest first.
package func findFile(
  named name: String, inFolder folder: String, startingAt sourceFile: String
) throws(FileError) -> String {
  try requireUsable(name, for: .find)
  let places = candidates(named: name, inFolder: folder, startingAt: sourceFile)
  if let found = places.first(where: fileExists) { return found }
  throw FileError(.find, name, "not at " + places.joined(separator: ", "))
}

private func candidates(named name: String, inFolder folder: String, startingAt sourceFile: String) -> [String] {
  if name.hasPrefix("/") { return [name] }
  var here = parentFolder(of: absolutePath(sourceFile))
  var places = [joinPath(here, name)]
  while true {
    places.append(joinPath(joinPath(here, folder), name))
    let parent = parentFolder(of: here)
    if fileExists(joinPath(here, "Package.swift")) || parent == here { return places }
    here = parent
  }
}
