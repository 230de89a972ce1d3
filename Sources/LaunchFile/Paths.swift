#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The folder that holds `path`: `.` for a bare name, `/` for the root itself. Looks at the text only.
package func parentFolder(of path: String) -> String {
  let trimmed = path.droppingTrailingSlashes
  guard let slash = trimmed.lastIndex(of: "/") else { return trimmed.isEmpty && path.hasPrefix("/") ? "/" : "." }
  let parent = trimmed[..<slash].droppingTrailingSlashes
  return parent.isEmpty ? "/" : String(parent)
}

/// `name` inside `folder`; `name` alone when it is absolute.
package func joinPath(_ folder: String, _ name: String) -> String {
  if name.hasPrefix("/") || folder.isEmpty { return name }
  return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
}

/// `path` seen from the root, by way of the working folder when it is relative.
package func absolutePath(_ path: String) -> String {
  guard !path.hasPrefix("/"), let buffer = unsafe getcwd(nil, 0) else { return path }
  defer { unsafe free(buffer) }
  return joinPath(unsafe String(cString: buffer), path)
}

/// Where the links of `path` lead; `path` itself when it is none, or leads to nothing.
package func followingLinks(_ path: String) -> String {
  guard let target = unsafe realpath(path, nil) else { return path }
  defer { unsafe free(target) }
  return unsafe String(cString: target)
}

extension StringProtocol {
  fileprivate var droppingTrailingSlashes: SubSequence {
    guard let last = lastIndex(where: { $0 != "/" }) else { return self[startIndex..<startIndex] }
    return self[...last]
  }
}
