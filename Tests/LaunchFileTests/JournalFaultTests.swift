import Foundation
import LaunchFile
import TestSupport
import Testing

/// Every system call of a journal's life goes wrong once, in every way.
@Suite struct JournalFaultTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var fault: FaultySystem.Fault
    var replaces: Bool
    /// The contents are replaced before the close.
    var rewrites: Bool
    var testDescription: String {
      "\(fault)\(replaces ? ", over an old file" : "")\(rewrites ? ", rewritten at the close" : "")"
    }
  }

  static let faults: [FaultySystem.Fault] = [
    .fails(ENOSPC), .fails(EIO), .interrupted, .short, .dies(bytes: 0), .dies(bytes: 3), .dies(bytes: 1000),
  ]
  static let rows = faults.flatMap { fault in
    [(true, false), (true, true), (false, false), (false, true)]
      .map { Row(fault: fault, replaces: $0.0, rewrites: $0.1) }
  }

  @Test(arguments: rows) func `the old file is untouched or the new one whole, and nothing committed is lost`(
    row: Row
  ) throws {
    let system = FaultySystem()
    _ = try Life(row, system).run()
    #expect(system.count > 8)
    for number in 1...system.count { try Life(row, FaultySystem(row.fault, at: number)).check(number) }
  }

  @Test(arguments: faults) func `a new file is whole or not there, and no half of one stays`(
    _ fault: FaultySystem.Fault
  ) throws {
    let system = FaultySystem()
    let bytes = Array("whole content".utf8)
    let folder = try TemporaryFolder()
    try writeNewFile(bytes, to: folder("a"), flushes: true, calls: system.calls)
    for number in 1...system.count {
      let folder = try TemporaryFolder()
      try writeFile(Array("old".utf8), to: folder("a"))
      let error = failure { () throws(FileError) in
        try writeNewFile(bytes, to: folder("a"), flushes: true, calls: FaultySystem(fault, at: number).calls)
      }
      let text = try folder.text("a")
      #expect(text == "whole content" || text == "old" && error != nil, "\(fault) at call \(number): \(text)")
      if case .dies = fault { continue }
      #expect(folder.names == ["a"], "\(fault) at call \(number)")
    }
  }

  /// A journal from its opening to its close.
  private struct Life {
    static let lines = ["header\n", "event 1\n", "event 2\n"]
    static let rewritten = "header\nanother event\n"
    static let last = "closed\n"

    let row: Row
    let system: FaultySystem
    let folder: TemporaryFolder
    var path: String { folder("a.cassette") }
    var whole: String { (row.rewrites ? Self.rewritten : Self.lines.joined()) + Self.last }

    init(_ row: Row, _ system: FaultySystem) throws {
      self.row = row
      self.system = system
      folder = try TemporaryFolder()
      if row.replaces { try writeFile(Array("old".utf8), to: path) }
    }

    /// Everything of which the journal said that it was committed, and its error.
    func run() -> (committed: String, error: FileError?) {
      var committed = ""
      do throws(FileError) {
        let journal = try Journal(path: path, replaces: row.replaces, calls: system.calls)
        // A recorder goes on after a failure for a moment; nothing must come of it.
        for line in Self.lines {
          journal.append(Array(line.utf8))
          try journal.commit()
          committed += line
        }
        if row.rewrites {
          try journal.replaceContents(with: Array(Self.rewritten.utf8))
          committed = Self.rewritten
        }
        journal.append(Array(Self.last.utf8))
        try journal.close()
        return (whole, nil)
      } catch {
        return (committed, error)
      }
    }

    func check(_ number: Int) throws {
      let place: Comment = "call \(number)"
      let (committed, error) = run()
      let isWhole = (try? folder.text("a.cassette")) == whole
      if !isWhole {
        #expect((try? folder.text("a.cassette")) == (row.replaces ? "old" : nil), place)
        #expect(error != nil, place)
        let part = (try? folder.text("a.cassette.part")) ?? ""
        #expect(part.hasPrefix(committed) || part.hasPrefix(Self.rewritten), place)
        #expect(whole.hasPrefix(part) || Self.lines.joined().hasPrefix(part), place)
      }
      switch row.fault {
      case .interrupted, .short:
        #expect(isWhole && error == nil, place)
        #expect(folder.names == ["a.cassette"], place)
      case .fails:
        #expect(error != nil, place)
        #expect(error?.path.hasPrefix(folder.path) == true, place)
      case .dies: break
      }
      // Whatever there is, the next recording can begin.
      if !isWhole || row.replaces { _ = try Journal(path: path) }
    }
  }
}
