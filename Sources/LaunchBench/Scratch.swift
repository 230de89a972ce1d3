import LaunchFile

/// Runs `body` with a new folder for files, which goes with all of them afterwards.
func withScratchFolder<Value>(_ body: (_ folder: String) throws -> Value) throws -> Value {
  let folder = try createUniqueFolder(prefix: "launchtape-bench-")
  defer { removeScratch(folder) }
  return try body(folder)
}

/// Removes a folder of files. What cannot be removed stays: a benchmark is no worse for it.
func removeScratch(_ folder: String) {
  for name in (try? fileNames(in: folder)) ?? [] { try? removeFile(joinPath(folder, name)) }
  try? removeFolder(folder)
}
