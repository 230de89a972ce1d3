import LaunchFile
import Testing

@Suite struct FileSearchTests {
  let folder: TemporaryFolder
  var source: String { folder("outer/package/Tests/AppTests/LaunchTests.swift") }

  init() throws {
    folder = try TemporaryFolder()
    try createFolder(folder("outer/package/Tests/AppTests"))
    try writeFile([], to: folder("outer/package/Package.swift"))
  }

  @Test(arguments: [
    ["Tests/AppTests/a.cassette", "Tests/AppTests/cassettes/a.cassette"],
    ["Tests/AppTests/cassettes/a.cassette", "Tests/cassettes/a.cassette"],
    ["Tests/cassettes/a.cassette", "cassettes/a.cassette"],
    ["cassettes/a.cassette"],
  ])
  func `the nearest file wins`(_ present: [String]) throws {
    for name in present {
      let path = folder("outer/package/\(name)")
      try createFolder(parentFolder(of: path))
      try writeFile([], to: path)
    }
    let found = try findFile(named: "a.cassette", inFolder: "cassettes", startingAt: source)
    #expect(found == folder("outer/package/\(present[0])"))
  }

  @Test func `the search stops at the package and says where it looked`() throws {
    try createFolder(folder("outer/cassettes"))
    try writeFile([], to: folder("outer/cassettes/a.cassette"))
    let package = folder("outer/package")
    let message = failure { () throws(FileError) in
      _ = try findFile(named: "a.cassette", inFolder: "cassettes", startingAt: source)
    }
    #expect(
      message == """
        cannot find a.cassette: not at \(package)/Tests/AppTests/a.cassette, \
        \(package)/Tests/AppTests/cassettes/a.cassette, \(package)/Tests/cassettes/a.cassette, \
        \(package)/cassettes/a.cassette
        """)
  }

  @Test func `an absolute name is taken as it is`() throws {
    let path = folder("b.cassette")
    try writeFile([], to: path)
    #expect(try findFile(named: path, inFolder: "cassettes", startingAt: source) == path)
  }

  @Test func `a search without a package ends at the root`() {
    let message = failure { () throws(FileError) in
      _ = try findFile(named: "no such file", inFolder: "cassettes", startingAt: folder("outer/a.swift"))
    }
    #expect(message?.hasSuffix(", /cassettes/no such file") == true)
  }

  @Test func `a relative start is seen from the working folder`() {
    let message = failure { () throws(FileError) in
      _ = try findFile(named: "no such file", inFolder: "cassettes", startingAt: "Tests/a.swift")
    }
    #expect(message?.contains("not at /") == true)
  }
}
