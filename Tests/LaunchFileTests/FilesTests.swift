import Foundation
import LaunchFile
import Testing

@Suite struct FilesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [0, 1, 4096, 1 << 18, (1 << 18) + 1, 3_000_001])
  func `a file reads back as it was written`(_ count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try writeFile(bytes, to: folder("a"))
    #expect(try readFile(folder("a")) == bytes)
  }

  @Test func `writing replaces a longer file`() throws {
    try writeFile(Array("longer".utf8), to: folder("a"))
    try writeFile(Array("new".utf8), to: folder("a"))
    #expect(try folder.text("a") == "new")
  }

  @Test func `a file without a known size is read to its end`() throws {
    guard fileExists("/proc/self/status") else { return }
    #expect(try readFile("/proc/self/status").count > 100)
  }

  @Test func `a device without an end is refused, one that has one is empty`() throws {
    for device in ["/dev/zero", "/dev/full"] where fileExists(device) {
      let message = "cannot read \(device): it is a device, and gives bytes without an end"
      #expect(read(device) == message)
      let error = #expect(throws: FileError.self) {
        var blocks = try FileBlocks(device)
        while try !blocks.next().isEmpty {}
      }
      #expect(error?.description == message)
    }
    #expect(try readFile("/dev/null").isEmpty)
  }

  @Test func `each failure names the path and the reason`() throws {
    let missing = folder("missing")
    let inside = folder("missing/a")
    #expect(read(missing) == "cannot read \(missing): No such file or directory")
    #expect(read(folder.path) == "cannot read \(folder.path): Is a directory")
    #expect(read("") == "cannot read \"\": the path is empty")
    #expect(read("/etc/passwd\0.txt") == "cannot read /etc/passwd\0.txt: the path contains a NUL byte")
    #expect(
      failure { () throws(FileError) in try writeFile([1], to: inside) }
        == "cannot write \(inside): No such file or directory")
    try writeFile([], to: folder("file"))
    #expect(
      failure { () throws(FileError) in try createFolder(folder("file/a/b")) }
        == "cannot create the folder \(folder("file")): File exists")
  }

  @Test func `reading stops at a limit`() throws {
    try writeFile([UInt8](repeating: 1, count: (2 << 20) + 1), to: folder("a"))
    #expect(
      failure { () throws(FileError) in _ = try readFile(folder("a"), limit: 2 << 20) }
        == "cannot read \(folder("a")): it has more than 2 MiB")
    #expect(try readFile(folder("a"), limit: (2 << 20) + 1).count == (2 << 20) + 1)
  }

  @Test func `folders are made with their parents`() throws {
    try createFolder(folder("a/b/c/"))
    try createFolder(folder("a/b/c"))
    #expect(folderExists(folder("a/b/c")))
    #expect(!fileExists(folder("a/b/c")))
  }

  @Test func `a removed file is gone, a missing one is no error`() throws {
    try writeFile([1], to: folder("a"))
    try removeFile(folder("a"))
    try removeFile(folder("a"))
    #expect(folder.names == [])
  }

  @Test func `unique folders differ`() throws {
    let first = try createUniqueFolder(in: folder.path, prefix: "x-")
    let second = try createUniqueFolder(in: folder.path, prefix: "x-")
    #expect(first != second)
    #expect(folderExists(first))
    #expect(first.hasPrefix(folder("x-")))
  }

  static let parents: [(String, String)] = [
    ("/a/b", "/a"), ("/a/b/", "/a"), ("/a//b", "/a"), ("/a", "/"), ("/", "/"), ("//", "/"), ("a", "."), ("a/b", "a"),
    ("./a", "."), ("", "."), ("a/", "."),
  ]

  @Test(arguments: parents) func `the parent of a path`(_ path: String, _ parent: String) {
    #expect(parentFolder(of: path) == parent)
  }

  private func read(_ path: String) -> String? { failure { () throws(FileError) in _ = try readFile(path) } }
}
