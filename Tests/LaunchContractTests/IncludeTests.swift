import Foundation
import LaunchContract
import LaunchDiagnostics
import Testing

/// Contracts of several files.
struct IncludeTests {
  private struct Missing: Error, CustomStringConvertible {
    var description: String { "cannot read it: No such file" }
  }

  private static func parse(_ files: [String: String], root: String = "c/main.contract") throws(DiagnosticsError)
    -> Contract
  {
    try Contract(parsing: files[root] ?? "", file: root) { path throws(Missing) in
      guard let text = files[path] else { throw Missing() }
      return Array(text.utf8)
    }
  }

  private static func messages(_ files: [String: String]) -> [String] {
    do throws(DiagnosticsError) {
      return try parse(files).warnings.map { "\($0.file):\($0.line) \($0.message)" }
    } catch {
      return error.diagnostics.map { "\($0.file):\($0.line):\($0.column) \($0.message)" }
    }
  }

  private static let header = "contract \"x\" version 1\n"

  @Test func `names and rules of an included contract join, at their place and with their own lines`() throws {
    let contract = try Self.parse([
      "c/main.contract": Self.header + "no a\ninclude \"../shared/names.contract\"\nno b\n",
      "shared/names.contract": Self.header + "mark a, b\ninclude \"./more.contract\"\nexactly 1 b after a\n",
      "shared/more.contract": Self.header + "mark c\nno c\n",
    ])
    #expect(
      contract.rules.map { "\($0.file):\($0.line) \($0.sentence)" } == [
        "c/main.contract:2 no a", "shared/more.contract:3 no c", "shared/names.contract:4 exactly 1 b after a",
        "c/main.contract:4 no b",
      ])
    #expect(contract.file == "c/main.contract")
  }

  @Test func `a tolerance holds for its own file and for the files it includes that set none`() throws {
    let contract = try Self.parse([
      "c/main.contract": Self.header + "tolerance 5 ms\nmark a, b\nb within 1 s of a\n"
        + "include \"one.contract\"\ninclude \"two.contract\"\n",
      "c/one.contract": Self.header + "b within 2 s of a\n",
      "c/two.contract": Self.header + "tolerance 7 ms\nb within 3 s of a\n",
    ])
    #expect(contract.tolerance == .milliseconds(5))
    #expect(contract.rules.map { "\($0)".contains("(1000000), tolerance: 5000") } == [true, false, false])
    #expect(contract.rules.map { "\($0)".contains("(2000000), tolerance: 5000") } == [false, true, false])
    #expect(contract.rules.map { "\($0)".contains("(3000000), tolerance: 7000") } == [false, false, true])
  }

  @Test func `a file on disk is one by whichever way it is included, links too`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = { (name: String) in folder.appending(path: name).path }
    try Data("\(Self.header)mark m\nno m\n".utf8).write(to: folder.appending(path: "n.contract"))
    try FileManager.default.createSymbolicLink(atPath: path("link.contract"), withDestinationPath: "n.contract")
    let text = Self.header + "include \"n.contract\"\ninclude \"link.contract\"\n"
    let contract = try Contract(parsing: text, file: path("main.contract")) {
      Array(try Data(contentsOf: URL(filePath: $0)))
    }
    #expect(contract.rules.count == 1 && contract.warnings.isEmpty)
  }

  @Test func `a file included twice counts once, and equal declarations of two files are one`() throws {
    let contract = try Self.parse([
      "c/main.contract": Self.header + "include \"a.contract\"\ninclude \"b.contract\"\nno m\n",
      "c/a.contract": Self.header + "mark m\ncall x = GET https://h.test/ key query.k\ninclude \"n.contract\"\n",
      "c/b.contract": Self.header + "call x = GET https://h.test/ key query.k\ninclude \"n.contract\"\nno x\n",
      "c/n.contract": Self.header + "mark n\nno n\n",
    ])
    #expect(contract.rules.map(\.sentence) == ["no n", "no x", "no m"])
  }

  @Test(arguments: [
    (
      ["c/main.contract": "mark m\ninclude \"a.contract\"\nno m", "c/a.contract": "\nmark m = \"other\"\n"],
      "c/a.contract:3:6 'm' is declared otherwise in c/main.contract, line 2"
    ),
    (["c/main.contract": "include \"a.contract\"\nno calls"], "c/main.contract:2:9 cannot read it: No such file"),
    (["c/main.contract": "include \"main.contract\"\nno calls"], "c/main.contract:2:9 c/main.contract includes itself"),
    (
      [
        "c/main.contract": "include \"a.contract\"\nno calls", "c/a.contract": "include \"./b.contract\"",
        "c/b.contract": "include \"../c/main.contract\"",
      ],
      "c/b.contract:2:9 c/main.contract includes itself, by way of c/a.contract, c/b.contract"
    ),
    (
      ["c/main.contract": "include \"a.contract\"\nno calls", "c/a.contract": "no callss"],
      "c/a.contract:2:4 'callss' is not declared; did you mean 'calls'?"
    ),
    (
      ["c/main.contract": "mark m\ninclude \"a.contract\"\nno m", "c/a.contract": "exactly 1 m"],
      "c/main.contract:4:1 this contradicts line 2 of c/a.contract, 'exactly 1 m', and no launch keeps both"
    ),
  ])
  func `mistakes stand in the file that has them`(files: [String: String], message: String) {
    #expect(Self.messages(files.mapValues { Self.header + $0 }) == [message])
  }

  @Test func `an included file that is no contract is one mistake`() {
    let files = [
      "c/main.contract": Self.header + "include \"a.json\"\nno calls",
      "c/a.json": "{\n  \"a\": [1, 2],\n  \"b\": 3\n}\n",
    ]
    #expect(
      Self.messages(files) == [
        "c/a.json:1:1 this is JSON, not a contract; a contract begins with: contract \"name\" version 1"
      ])
  }

  @Test func `a chain of includes ends somewhere`() {
    let messages = Self.messages(
      Dictionary(
        uniqueKeysWithValues: (0..<100).map { number in
          (number == 0 ? "c/main.contract" : "c/\(number)", Self.header + "include \"\(number + 1)\"\nno calls")
        }))
    #expect(messages == ["c/32:2:9 includes lie more than 32 files deep"])
  }

  @Test func `names that only an included file declares need not be used`() {
    let files = [
      "c/main.contract": Self.header + "include \"a.contract\"\nmark m\nno a",
      "c/a.contract": Self.header + "mark a, b",
    ]
    #expect(Self.messages(files) == ["c/main.contract:3 no rule uses 'm'"])
  }
}
