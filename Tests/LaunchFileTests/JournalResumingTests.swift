import Testing
import TestSupport

@testable import LaunchFile

@Suite struct JournalResumingTests {
  private func lines(_ bytes: [UInt8]) -> [UInt8] {
    bytes.lastIndex(of: UInt8(ascii: "\n")).map { Array(bytes[...$0]) } ?? []
  }

  @Test func `a resumed journal goes on behind the complete lines of the last one`() throws {
    let folder = try TemporaryFolder()
    var journal = try Journal(resuming: folder("state"), tidy: lines)
    try journal.commit(appending: Array("one\ntw".utf8))
    journal.abandon()
    journal = try Journal(resuming: folder("state"), tidy: lines)
    try journal.commit(appending: Array("two\n".utf8))
    #expect(try folder.text("state.part") == "one\ntwo\n")
    #expect(folder.names == ["state.part"])
  }

  @Test func `two live journals do not resume one file`() throws {
    let folder = try TemporaryFolder()
    let first = try Journal(resuming: folder("state"), tidy: lines)
    #expect(throws: FileError.self) { _ = try Journal(resuming: folder("state"), tidy: lines) }
    first.abandon()
  }

  @Test(arguments: [FaultySystem.Fault.fails(28), .interrupted, .short, .dies(bytes: 3)])
  func `whatever fails while resuming, no complete line is lost`(_ fault: FaultySystem.Fault) throws {
    let count = try resume(FaultySystem()).calls
    #expect(count > 4)
    for number in 1...count {
      let (text, _) = try resume(FaultySystem(fault, at: number))
      #expect(
        text.hasPrefix("one\n") && "one\ntwo\n".hasPrefix(text) || text == "one\ntw", "\(fault) at call \(number)")
    }
  }

  /// What stands in the file after a torn one was resumed and appended to.
  private func resume(_ system: FaultySystem) throws -> (text: String, calls: Int) {
    let folder = try TemporaryFolder()
    try writeFile(Array("one\ntw".utf8), to: folder("state.part"))
    do throws(FileError) {
      let journal = try Journal(resuming: folder("state"), calls: system.calls, tidy: lines)
      try journal.commit(appending: Array("two\n".utf8))
    } catch {}
    return (try folder.text("state.part"), system.count)
  }
}
