import Foundation
import LaunchDeck
import LaunchHTTP
import LaunchJSON
import LaunchSimulation
import LaunchTrace
import Synchronization
import Testing

/// OneSignal's updates of a user, which carry what changed within five seconds, whatever that is.
struct MergedUpdateTests {
  static let user = "/apps/1/users/by/onesignal_id/2"

  static func update(_ body: String, to path: String = user, host: String = "api.onesignal.com") -> Request {
    var request = post(path, body, host: host)
    request.method = "PATCH"
    return request
  }

  /// As the SDK writes it: with a session the server shall look at the device again.
  static func update(_ tags: [(String, String)], sessions: Int = 0) -> Request {
    let tags = tags.map { #""\#($0)":"\#($1)""# }.joined(separator: ",")
    var members = tags.isEmpty ? [] : [#""properties":{"tags":{\#(tags)}}"#]
    members.append(#""refresh_device_metadata":\#(sessions > 0)"#)
    if sessions > 0 { members.append(#""deltas":{"session_count":\#(sessions)}"#) }
    return update("{\(members.joined(separator: ","))}")
  }

  private static func tags(_ names: String, sessions: Int = 0) -> Request {
    update(names.map { (String($0), "1") }, sessions: sessions)
  }

  private static func player(_ recorded: [Request], _ matching: Matching = Matching()) -> Player {
    Player(closed(recording(recorded.enumerated().flatMap { exchange($0 + 1, $1, answering: "") })), matching: matching)
  }

  /// Letters are tags, a digit the number of sessions, and each word an update.
  private static func updates(_ words: String) -> [Request] {
    words.split(separator: " ").map { word in
      tags(word.filter { !$0.isNumber }, sessions: Int(word.filter(\.isNumber)) ?? 0)
    }
  }

  static let arrangements: [(recorded: String, asked: String, calls: [Int], unused: [Int])] = [
    // As recorded, also where a change comes twice.
    ("1 abc d", "1 abc d", [1, 2, 3], []),
    ("a ab", "ab a", [2, 1], []),
    ("a a", "a a", [1, 2], []),
    ("cba", "abc", [1], []),
    // Split.
    ("abc", "a bc", [1, 1], []),
    ("1abc", "abc 1", [1, 1], []),
    ("abc", "a", [1], [1]),
    // Merged.
    ("1 abc d", "1abcd", [1], []),
    ("1 abc d", "abcd 1", [2, 1], []),
    ("abc d", "d abc", [2, 1], []),
    ("1 ab", "1a", [1], [2]),
    // Both.
    ("1 abc d", "1a bcd", [1, 2], []),
    ("ab cd", "ac bd", [1, 1], []),
    ("ab cd", "bd ac", [1, 1], []),
    // A change of two updates: whole ones go first.
    ("ab a", "a ab", [2, 1], []),
    ("ab a", "b a a", [1, 2, 1], []),
    ("ab ac", "a", [1], [1, 2]),
    // Sessions add up.
    ("1 1", "2", [1], []),
    ("2", "1 1", [1, 1], []),
    ("2a 1", "1a 2", [1, 1], []),
    ("3", "2", [1], [1]),
  ]

  @Test(arguments: arrangements)
  func `changes match in whichever update they leave`(
    recorded: String, asked: String, calls: [Int], unused: [Int]
  ) throws {
    var player = Self.player(Self.updates(recorded))
    #expect(try Self.updates(asked).map { try player.answer($0).call } == calls)
    #expect(player.unused.map(\.call) == unused)
    #expect(player.misses == [])
  }

  static let misses: [(recorded: [Request], asked: [Request], message: String)] = [
    (
      [tags("ab"), update([("c", "1")])], [update([("a", "1"), ("c", "2")])],
      #"was not recorded like this; the nearest is call 2, which differs in 1 place: body.properties.tags.c is "2", recorded was "1""#
    ),
    (
      [tags("ab")], [tags("az")],
      #"was not recorded like this; the nearest is call 1, which differs in 1 place: body.properties.tags.z is "1", recorded was none"#
    ),
    (
      [tags("ab")], [tags("a", sessions: 1)],
      "was not recorded like this; the nearest is call 1, which differs in 1 place: body.deltas.session_count is 1, recorded was none"
    ),
    (
      [tags("ab")], [tags("a"), tags("yz")],
      #"was not recorded like this; the nearest is call 1, which differs in 2 places: body.properties.tags.y is "1", recorded was none; "#
        + #"body.properties.tags.z is "1", recorded was none"#
    ),
    (
      [tags("ab")], [tags("a"), tags("a")],
      "was asked for more often than recorded: 1 of 1 answers are used (call 1); "
        + #"what is used is body.properties.tags.a, "1""#
    ),
    (
      [tags("ab"), tags("bc")], [tags("ab"), tags("ab")],
      "was asked for more often than recorded: 1 of 1 answers are used (call 1)"
    ),
    (
      [tags("", sessions: 2)], [tags("", sessions: 3)],
      "was asked for more often than recorded: 1 of 1 answers are used (call 1); what is used is body.deltas.session_count, 1"
    ),
    (
      [tags("ab")], [update("{}")],
      "was not recorded like this; the nearest is call 1, which differs in 2 places: body.properties is missing, recorded was an "
        + "object; body.refresh_device_metadata is missing, recorded was false"
    ),
    (
      [tags("ab")], [update("abc")],
      #"was not recorded like this; the nearest is call 1, which differs in 1 place: body is "abc", recorded was an object"#
    ),
  ]

  @Test(arguments: misses.indices)
  func `a miss names the change`(index: Int) throws {
    let (recorded, asked, message) = Self.misses[index]
    var player = Self.player(recorded)
    for request in asked.dropLast() { _ = try player.answer(request) }
    let miss = #expect(throws: Miss.self) { try player.answer(asked[asked.count - 1]) }
    #expect(miss?.description == "PATCH https://api.onesignal.com\(Self.user) \(message)")
    #expect(player.misses.count == 1)
  }

  @Test func `a miss uses nothing`() throws {
    var player = Self.player([Self.tags("ab"), Self.tags("c")])
    #expect(throws: Miss.self) { try player.answer(Self.tags("acz")) }
    #expect(player.unused.map(\.call) == [1, 2])
    #expect(try player.answer(Self.tags("ac")).call == 1)
  }

  static let others: [(recorded: Request, asked: Request, note: String)] = [
    (
      update(#"{"tags":{"a":1,"b":1}}"#, host: "api.example.com"),
      update(#"{"tags":{"a":1}}"#, host: "api.example.com"),
      "another vendor"
    ),
    (
      update(#"{"subscription":{"a":1,"b":1}}"#, to: "/apps/1/subscriptions/2"),
      update(#"{"subscription":{"a":1}}"#, to: "/apps/1/subscriptions/2"), "another call"
    ),
    (
      post(user, #"{"a":1,"b":1}"#, host: "api.onesignal.com"), post(user, #"{"a":1}"#, host: "api.onesignal.com"),
      "another method"
    ),
    (update([("a", "1"), ("b", "1")]), update(#"{"properties":{"tags":{"a":"1"}}}"#, to: user + "3"), "another user"),
    (tags("ab"), update(#"{"properties":{"tags":{"a":1}}}"#), "a number for a text"),
  ]

  @Test(arguments: others.indices)
  func `all else is compared as a whole`(index: Int) {
    let (recorded, asked, note) = Self.others[index]
    var player = Self.player([recorded])
    #expect(throws: Miss.self, "\(note)") { try player.answer(asked) }
  }

  @Test func `a policy says what comes when changes are used`() throws {
    for (policy, expected) in [("last", [1, 2, 2, 2]), ("loop", [1, 2, 1, 2])] {
      var matching = Matching()
      try matching.repeat(policy)
      var player = Self.player([Self.tags("ab"), Self.tags("ac")], matching)
      #expect(try (0..<4).map { _ in try player.answer(Self.tags("a")).call } == expected, "\(policy)")
      var whole = Self.player([Self.tags("ab"), Self.tags("ab")], matching)
      #expect(try (0..<4).map { _ in try whole.answer(Self.tags("ab")).call } == expected, "\(policy)")
    }
    var matching = Matching()
    try matching.repeat("2=last")
    var player = Self.player([Self.tags("a"), Self.tags("bc")], matching)
    #expect(try "ab".map { try player.answer(Self.tags(String($0))).call } == [1, 2])
    #expect(try player.answer(Self.tags("b")).call == 2)
    #expect(throws: Miss.self) { try player.answer(Self.tags("a")) }
  }

  @Test func `an ignored change does not count`() throws {
    var matching = Matching()
    try matching.ignore("body.properties.tags.b")
    var player = Self.player([Self.tags("abc")], matching)
    #expect(try player.answer(Self.update([("a", "1"), ("b", "2")])).call == 1)
    #expect(try player.answer(Self.tags("c")).call == 1)
    #expect(player.unused == [])
  }

  /// Two updates of call 1 and call 3 are refused at first, so the tags come again.
  @Test func `a refused update brings back what did not stand in it`() throws {
    var player = Player(
      closed(
        recording(
          exchange(1, Self.tags("ab"), answering: "", status: 500), exchange(2, Self.tags("c"), answering: ""),
          exchange(3, Self.tags("ab"), answering: ""))))
    #expect(try player.answer(Self.tags("abc")).call == 1)
    #expect(player.unused.map(\.call) == [2, 3])
    #expect(try player.answer(Self.tags("abc")).call == 2)
    #expect(player.unused == [])
  }

  private static func redacted(_ recorded: [Request]) -> Player {
    Player(
      closed(
        recording(recorded.enumerated().flatMap { exchange($0 + 1, $1, answering: "") }),
        redacted: BindingTests.redacted))
  }

  @Test func `values in the place of pseudonyms are tied to them`() throws {
    let (idfa, live) = (BindingTests.idfa, BindingTests.live)
    let recorded = [
      Self.update([("idfa", idfa), ("a", "1")]), Self.update([("copy", idfa), ("b", "1")]),
    ]
    var player = Self.redacted(recorded)
    #expect(try player.answer(Self.update([("a", "1"), ("b", "1")])).call == 1)
    #expect(try player.answer(Self.update([("idfa", live)])).call == 1)
    let miss = #expect(throws: Miss.self) { try player.answer(Self.update([("copy", BindingTests.otherLive)])) }
    #expect(
      miss?.reason
        == .different(
          call: 2,
          differences: [#"idfa is "\#(BindingTests.otherLive)", but the replay bound it to "\#(live)" at call 1"#]))
    #expect(player.unused.map(\.call) == [2])
    #expect(try player.answer(Self.update([("copy", live)])).call == 2)

    var same = Self.redacted(recorded)
    #expect(throws: Miss.self, "two values for one pseudonym") {
      try same.answer(Self.update([("idfa", live), ("copy", BindingTests.otherLive)]))
    }
    #expect(try same.answer(Self.update([("copy", live), ("idfa", live)])).call == 1)
    #expect(try same.answer(Self.update([("a", "1"), ("b", "1")])).call == 1)
    #expect(same.unused == [])
  }

  @Test func `changes of two users are not mixed up`() throws {
    func path(_ user: String) -> String { "/apps/1/users/by/onesignal_id/\(user)" }
    func tags(_ user: String, _ tags: String) -> Request {
      Self.update(#"{"properties":{"tags":{\#(tags)}}}"#, to: path(user))
    }
    var player = Self.redacted([
      tags(BindingTests.idfa, #""a":1,"b":1"#), tags(BindingTests.otherIDFA, #""a":1,"c":1"#),
    ])
    #expect(try player.answer(tags(BindingTests.live, #""a":1"#)).call == 1)
    #expect(try player.answer(tags(BindingTests.otherLive, #""c":1"#)).call == 2)
    #expect(throws: Miss.self) { try player.answer(tags(BindingTests.otherLive, #""b":1"#)) }
    #expect(try player.answer(tags(BindingTests.live, #""b":1"#)).call == 1)
    #expect(try player.answer(tags(BindingTests.otherLive, #""a":1"#)).call == 2)
    #expect(player.unused == [])
  }

  @Test func `every change is used once by threads that ask at once`() {
    let (threads, perThread) = (64, 20)
    let recorded = (1...threads * perThread / 4).flatMap { number in
      exchange(number, Self.tags("abcd"), answering: "\(number)")
    }
    let transport = ReplayTransport(closed(recording(recorded)))
    let answers = Mutex<[String]>([])
    let finished = DispatchSemaphore(value: 0)
    for thread in 0..<threads {
      // A simulation runs on the thread that starts it, so these are as many threads as simulations.
      Thread.detachNewThread {
        let texts = try? Simulation.run {
          var texts: [String] = []
          for number in 0..<perThread {
            texts.append(try await transport.text(Self.tags(["a", "b", "c", "d"][(thread + number) % 4])))
          }
          return texts
        }
        answers.withLock { $0 += texts ?? [] }
        finished.signal()
      }
    }
    for _ in 0..<threads { finished.wait() }
    let numbers = (1...threads * perThread / 4).flatMap { Array(repeating: "\($0)", count: 4) }
    #expect(answers.withLock { $0.sorted() } == numbers.sorted())
    #expect(transport.unused == [] && transport.misses == [])
  }
}
