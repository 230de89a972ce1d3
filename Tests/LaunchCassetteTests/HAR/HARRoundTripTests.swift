@testable import LaunchCassette
import LaunchFile
import LaunchJSON
import LaunchTrace
import TestSupport
import Testing

struct HARRoundTripTests {
  @Test(arguments: HARFixtures.names)
  func `a HAR that went through a cassette's file says what it said`(file: String) throws {
    let cassette = try HARFixtures.cassette(file)
    let reread = try Cassette(parsing: cassette.serialized, path: "x.cassette")
    let root = try HARFixtures.root(file)
    #expect(withoutFiles(try JSON(parsing: reread.har)).isEquivalent(to: withoutFiles(root)))
    #expect(try Cassette(har: reread.har, path: file).events == cassette.events)
  }

  @Test func `a recorded launch that went through a HAR is the same cassette`() throws {
    let path = parentFolder(of: parentFolder(of: HARFixtures.folder)) + "/../cassettes/first-launch.cassette"
    let cassette = try Cassette(path: path)
    #expect(try Cassette(har: cassette.har, path: "x.har") == cassette)
    #expect(harProblems(try JSON(parsing: cassette.har)) == [])
  }

  @Test func `a cassette with every kind of event went through a HAR unchanged`() throws {
    let cassette = try Cassette(parsing: Array(sampleText.utf8), path: "sample.cassette")
    #expect(try Cassette(har: cassette.har, path: "x.har").events == cassette.events)
    #expect(harProblems(try JSON(parsing: cassette.har)) == [])
  }

  @Test(arguments: 0..<60)
  func `any cassette that went through a HAR is the same cassette`(seed: UInt64) throws {
    var random = RandomCassette(seed: seed)
    let cassette = random.cassette()
    let har = cassette.har
    let again = try Cassette(har: har, path: "x.har")
    #expect(again.header == cassette.header)
    #expect(again.events == cassette.events)
    #expect(again.warnings == [])
    if !random.hasPatches { #expect(harProblems(try JSON(parsing: har)) == []) }
    // Reading the cassette's own file first changes nothing.
    #expect(try Cassette(parsing: cassette.serialized, path: "x").events == cassette.events)
  }

  @Test(arguments: HARFixtures.names)
  func `an imported cassette that was edited keeps the edit and what the HAR said`(file: String) throws {
    var cassette = try HARFixtures.cassette(file)
    cassette.warnings = []
    cassette.trace.events.insert(Event(at: .zero, .mark(Mark("paywall shown"))), at: 1)
    let again = try Cassette(har: cassette.har, path: "x.har")
    #expect(again.events == cassette.events)
    #expect(again.header == cassette.header)
  }

  @Test func `what another tool adds to a HAR of ours is kept`() throws {
    let cassette = try Cassette(parsing: Array(sampleText.utf8), path: "sample.cassette")
    var root = try JSON(parsing: cassette.har)
    var entries = try #require(root["log"]?["entries"]?.array)
    entries[0] = entries[0].setting("comment", to: "slow")
    entries.append(try #require(try HARFixtures.root("insomnia.har")["log"]?["entries"]?[0]))
    entries.append(entries[0])
    root = root.setting("log", to: root["log"]?.setting("entries", to: .array(entries)).setting("comment", to: "x"))
    let edited = try Cassette(har: root.serialized, path: "x.har")
    #expect(edited.trace.exchanges.count == cassette.trace.exchanges.count + 2)
    #expect(edited.trace.isClosed)
    let again = try Cassette(har: edited.har, path: "x.har")
    #expect(again.events == edited.events)
    let final = try JSON(parsing: again.har)
    #expect(final["log"]?["comment"] == "x")
    #expect(final["log"]?["entries"]?[0]?["comment"] == "slow")
  }

  /// Bodies from files beside the HAR are the one thing that an export adds.
  private func withoutFiles(_ root: JSON) -> JSON {
    let entries = root["log"]?["entries"]?.array?.map { entry -> JSON in
      guard let content = entry["response"]?["content"], content["_file"] != nil else { return entry }
      let bare = content.setting("text", to: nil).setting("encoding", to: nil)
      return entry.setting("response", to: entry["response"]?.setting("content", to: bare))
    }
    return root.setting("log", to: root["log"]?.setting("entries", to: entries.map(JSON.array)))
  }
}
