import Foundation
import Synchronization
import Testing

@testable import LaunchFile

@Suite struct JournalTests {
  let folder: TemporaryFolder
  var path: String { folder("a.cassette") }

  init() throws { folder = try TemporaryFolder() }

  @Test func `the old file stays until close`() throws {
    try writeFile(Array("old".utf8), to: path)
    let journal = try Journal(path: path)
    journal.append(Array("new".utf8))
    #expect(try folder.text("a.cassette.part") == "")
    try journal.commit()
    #expect(try folder.text("a.cassette.part") == "new")
    #expect(try folder.text("a.cassette") == "old")
    journal.append(Array("er".utf8))
    try journal.close()
    #expect(try folder.text("a.cassette") == "newer")
    #expect(folder.names == ["a.cassette"])
  }

  @Test func `only the owner can read a recording`() throws {
    let journal = try Journal(path: path)
    let mode = try FileManager.default.attributesOfItem(atPath: journal.partPath)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func `a commit is one write of everything appended`() throws {
    let calls = Calls(SystemCalls().writeBytes)
    let journal = try Journal(path: path, calls: calls.system)
    for _ in 0..<100 { journal.append(Array(repeating: 7, count: 100)) }
    try journal.commit()
    try journal.commit()
    #expect(calls.sizes == [10_000])
  }

  @Test func `short writes and interruptions lose nothing`() throws {
    let turn = Mutex(0)
    let calls = Calls { descriptor, bytes in
      let isInterrupted = turn.withLock { turn in
        turn += 1
        return turn.isMultiple(of: 2)
      }
      if isInterrupted {
        errno = EINTR
        return -1
      }
      return SystemCalls().writeBytes(descriptor, bytes.prefix(3))
    }
    let journal = try Journal(path: path, calls: calls.system)
    journal.append(Array("twelve bytes".utf8))
    try journal.close()
    #expect(try folder.text("a.cassette") == "twelve bytes")
    #expect(calls.sizes == [12, 9, 9, 6, 6, 3, 3])
  }

  @Test(arguments: [(-1, ENOSPC, "No space left on device"), (0, 0, "the system took no bytes")])
  func `a failed write stays failed and keeps both files`(_ result: Int, _ code: Int32, _ reason: String) throws {
    try writeFile(Array("old".utf8), to: path)
    let isFull = Mutex(false)
    let calls = Calls { descriptor, bytes in
      guard isFull.withLock({ $0 }) else { return SystemCalls().writeBytes(descriptor, bytes) }
      errno = code
      return result
    }
    let journal = try Journal(path: path, calls: calls.system)
    journal.append(Array("one".utf8))
    try journal.commit()
    isFull.withLock { $0 = true }
    journal.append(Array("two".utf8))
    let expected = "cannot write \(journal.partPath): \(reason)"
    #expect(failure(of: journal.commit) == expected)
    isFull.withLock { $0 = false }
    journal.append(Array("three".utf8))
    #expect(failure(of: journal.commit) == expected)
    #expect(failure(of: journal.close) == expected)
    #expect(calls.sizes == [3, 3])
    #expect(try folder.text("a.cassette") == "old")
    #expect(try folder.text("a.cassette.part") == "one")
  }

  @Test func `a rename that fails keeps the part`() throws {
    let journal = try Journal(path: path)
    journal.append(Array("one".utf8))
    try createFolder(path)
    #expect(failure(of: journal.close)?.contains("cannot rename \(journal.partPath): to \(path): ") == true)
    #expect(try folder.text("a.cassette.part") == "one")
  }

  @Test func `abandoning keeps what was committed`() throws {
    let journal = try Journal(path: path)
    journal.append(Array("one".utf8))
    try journal.commit()
    journal.append(Array("two".utf8))
    journal.abandon()
    #expect(failure(of: journal.close) == "cannot write \(journal.partPath): the journal was abandoned")
    #expect(try folder.text("a.cassette.part") == "one")
    #expect(folder.names == ["a.cassette.part"])
  }

  @Test func `a closed journal takes no more`() throws {
    let journal = try Journal(path: path)
    try journal.close()
    try journal.close()
    journal.abandon()
    journal.append([1])
    #expect(failure(of: journal.commit) == "cannot write \(journal.partPath): the journal is closed")
    #expect(try folder.text("a.cassette") == "")
  }

  @Test func `a second live writer is refused`() throws {
    let journal = try Journal(path: path)
    #expect(
      failure { () throws(FileError) in _ = try Journal(path: path) }
        == "cannot lock \(journal.partPath): another recording is writing it")
    try journal.close()
    _ = try Journal(path: path)
  }

  @Test func `a dead writer's recording is moved aside`() throws {
    for text in ["first", "second"] { try writeFile(Array(text.utf8), to: path + ".part"); _ = try Journal(path: path) }
    try writeFile([], to: path + ".part")
    let journal = try Journal(path: path)
    #expect(folder.names == ["a.cassette.1.part", "a.cassette.2.part", "a.cassette.part"])
    #expect(try folder.text("a.cassette.1.part") == "first")
    #expect(try folder.text("a.cassette.2.part") == "second")
    try journal.close()
  }

  @Test func `a file that lost its name between open and lock is left alone`() throws {
    try writeFile(Array("cut".utf8), to: path + ".part")
    let rival = Mutex<Journal?>(nil)
    var calls = SystemCalls()
    // The rival comes in just then: it moves the leftover aside and writes the part that has the name now.
    calls.lockFile = { [path] descriptor in
      rival.withLock { if $0 == nil { $0 = try? Journal(path: path) } }
      return SystemCalls().lockFile(descriptor)
    }
    #expect(
      failure { () throws(FileError) in _ = try Journal(path: path, calls: calls) }
        == "cannot lock \(path).part: another recording is writing it")
    #expect(folder.names == ["a.cassette.1.part", "a.cassette.part"])
    let winner = try #require(rival.withLock { $0 })
    winner.append(Array("whole".utf8))
    try winner.close()
    #expect(try folder.text("a.cassette") == "whole")
    #expect(try folder.text("a.cassette.1.part") == "cut")
  }

  @Test func `one of many racing writers wins`() async throws {
    try writeFile(Array("cut".utf8), to: path + ".part")
    // A lock belongs to an open file, so tasks race for it as processes do.
    let winners = await withTaskGroup(of: Journal?.self) { group in
      for _ in 0..<32 { group.addTask { [path] in try? Journal(path: path) } }
      return await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
    }
    #expect(winners.count == 1)
    #expect(folder.names == ["a.cassette.1.part", "a.cassette.part"])
  }

  @Test func `a flush that fails leaves the old file`() throws {
    try writeFile(Array("old".utf8), to: path)
    var calls = SystemCalls()
    calls.flushFile = { _ in
      errno = EIO
      return -1
    }
    let journal = try Journal(path: path, calls: calls)
    journal.append(Array("new".utf8))
    let expected = "cannot flush \(journal.partPath): Input/output error"
    #expect(failure(of: journal.close) == expected)
    #expect(failure(of: journal.close) == expected)
    #expect(try folder.text("a.cassette") == "old")
    #expect(try folder.text("a.cassette.part") == "new")
  }

  @Test func `a path that cannot be a file is refused at once`() throws {
    #expect(
      failure { () throws(FileError) in _ = try Journal(path: folder.path) }
        == "cannot open \(folder.path): Is a directory")
    #expect(failure { () throws(FileError) in _ = try Journal(path: "") } == "cannot open \"\": the path is empty")
    let missing = folder("missing/a.cassette")
    #expect(
      failure { () throws(FileError) in _ = try Journal(path: missing) }
        == "cannot open \(missing).part: No such file or directory")
  }

  @Test func `concurrent appends keep every line whole`() async throws {
    let journal = try Journal(path: path)
    try await withThrowingTaskGroup { group in
      for writer in 0..<16 {
        group.addTask {
          for line in 0..<200 {
            journal.append(Array("\(writer) \(line)\n".utf8))
            if line.isMultiple(of: 7) { try journal.commit() }
          }
        }
      }
      try await group.waitForAll()
    }
    try journal.close()
    let lines = try folder.text("a.cassette").split(separator: "\n").map(String.init)
    for writer in 0..<16 {
      #expect(lines.filter { $0.hasPrefix("\(writer) ") } == (0..<200).map { "\(writer) \($0)" })
    }
    #expect(lines.count == 3200)
  }

  @Test(arguments: ["out", "out.part"]) func `what is no ordinary file is left alone`(name: String) throws {
    let folder = try TemporaryFolder()
    #expect(unsafe mkfifo(folder(name), 0o600) == 0)
    #expect(
      failure { () throws(FileError) in _ = try Journal(path: folder("out")) }
        == "cannot open \(folder(name)): it is no ordinary file and stays as it is")
    #expect(folder.names == [name])
  }

  @Test func `a link is not followed and not replaced, even one that leads nowhere`() throws {
    let folder = try TemporaryFolder()
    #expect(unsafe symlink("nowhere", folder("out")) == 0)
    #expect(
      failure { () throws(FileError) in _ = try Journal(path: folder("out")) }
        == "cannot open \(folder("out")): it is no ordinary file and stays as it is")
  }

  @Test func `a file that must not be replaced is refused at once`() throws {
    let folder = try TemporaryFolder()
    try writeFile(Array("old".utf8), to: folder("out"))
    #expect(
      failure { () throws(FileError) in _ = try Journal(path: folder("out"), replaces: false) }
        == "cannot open \(folder("out")): it exists and stays as it is")
    #expect(folder.names == ["out"])
  }

  @Test func `a file that appears meanwhile is not replaced, and the part stays`() throws {
    let folder = try TemporaryFolder()
    let journal = try Journal(path: folder("out"), replaces: false)
    journal.append(Array("new".utf8))
    try writeFile(Array("precious".utf8), to: folder("out"))
    #expect(failure { () throws(FileError) in try journal.close() }?.contains("File exists") == true)
    #expect(try folder.text("out") == "precious")
    #expect(try folder.text("out.part") == "new")
  }

  @Test func `without anything in the way it takes its name all the same`() throws {
    let folder = try TemporaryFolder()
    let journal = try Journal(path: folder("out"), replaces: false)
    journal.append(Array("new".utf8))
    try journal.close()
    #expect(folder.names == ["out"])
    #expect(try folder.text("out") == "new")
  }
}

/// The description of what `body` throws, or nil.
func failure(of body: () throws(FileError) -> Void) -> String? {
  do throws(FileError) { try body() } catch { return error.description }
  return nil
}

/// Notes the size of every write it is asked for.
private final class Calls: Sendable {
  typealias Write = @Sendable (Int32, ArraySlice<UInt8>) -> Int

  private let noted = Mutex<[Int]>([])
  private let write: Write

  init(_ write: @escaping Write) { self.write = write }

  var sizes: [Int] { noted.withLock { $0 } }

  var system: SystemCalls {
    var calls = SystemCalls()
    calls.writeBytes = { descriptor, bytes in
      self.noted.withLock { $0.append(bytes.count) }
      return self.write(descriptor, bytes)
    }
    return calls
  }
}
