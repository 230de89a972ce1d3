import Foundation
import LaunchFile
import Testing

@Suite struct JournalRewriteTests {
  let folder: TemporaryFolder
  var path: String { folder("a.cassette") }

  init() throws { folder = try TemporaryFolder() }

  @Test func `replaced contents are gone on from`() throws {
    let journal = try Journal(path: path)
    journal.append(Array("secret ".utf8))
    #expect(try journal.contents() == Array("secret ".utf8))
    try journal.replaceContents(with: Array("pseudonym ".utf8))
    #expect(folder.names == ["a.cassette.part"])
    #expect(
      try FileManager.default.attributesOfItem(atPath: journal.partPath)[.posixPermissions] as? Int == 0o600)
    journal.append(Array("end".utf8))
    #expect(try journal.contents() == Array("pseudonym end".utf8))
    try journal.close()
    #expect(try folder.text("a.cassette") == "pseudonym end")
    #expect(folder.names == ["a.cassette"])
  }

  @Test func `a journal with replaced contents still has the path to itself`() throws {
    let journal = try Journal(path: path)
    try journal.replaceContents(with: Array("new".utf8))
    #expect(
      failure { () throws(FileError) in _ = try Journal(path: path) }
        == "cannot lock \(journal.partPath): another recording is writing it")
  }

  @Test func `a dead writer's unfinished replacement is in nobody's way`() throws {
    try writeFile(Array("half".utf8), to: path + ".part.new")
    let journal = try Journal(path: path)
    try journal.replaceContents(with: Array("new".utf8))
    try journal.close()
    #expect(try folder.text("a.cassette") == "new")
    #expect(folder.names == ["a.cassette"])
  }

  @Test func `a discarded recording leaves nothing, and the old file`() throws {
    try writeFile(Array("old".utf8), to: path)
    let journal = try Journal(path: path)
    journal.append(Array("secret".utf8))
    try journal.commit()
    try journal.discard()
    #expect(failure(of: journal.close) == "cannot write \(journal.partPath): the journal was discarded")
    #expect(folder.names == ["a.cassette"])
    #expect(try folder.text("a.cassette") == "old")
  }

  @Test func `a recording that was kept or closed is not discarded`() throws {
    let journal = try Journal(path: path)
    try journal.close()
    try journal.discard()
    let other = try Journal(path: folder("b"))
    other.abandon()
    try other.discard()
    #expect(folder.names == ["a.cassette", "b.part"])
  }

  @Test func `folders are listed and removed when they are empty`() throws {
    let bodies = folder("a.cassette.bodies")
    try createFolder(bodies)
    for name in ["2-beef", "1-cafe"] { try writeNewFile([1, 2, 3], to: joinPath(bodies, name), flushes: false) }
    #expect(try fileNames(in: bodies) == ["1-cafe", "2-beef"])
    #expect(
      failure { () throws(FileError) in try removeFolder(bodies) }?.hasPrefix("cannot remove \(bodies): ") == true)
    for name in try fileNames(in: bodies) { try removeFile(joinPath(bodies, name)) }
    try removeFolder(bodies)
    try removeFolder(bodies)
    #expect(folder.names == [])
    #expect(
      failure { () throws(FileError) in _ = try fileNames(in: bodies) }
        == "cannot read \(bodies): No such file or directory")
  }
}
