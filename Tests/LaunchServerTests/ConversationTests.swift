import LaunchHTTP
import Synchronization
import Testing

@testable import LaunchServer

struct ConversationTests {
  private static func get(_ target: String, _ lines: String = "") -> String {
    "GET \(target) HTTP/1.1\r\nHost: h\r\n\(lines)\r\n"
  }

  static let pipeline =
    get("/1") + "POST /2 HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
    + "PUT /3 HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nde\r\n0\r\n\r\n" + get("/4")
  static let answers = ["GET /1 ", "POST /2 abc", "PUT /3 de", "GET /4 "]

  @Test func `every cut of a stream gets the same answers in the same order`() {
    let bytes = Array(Self.pipeline.utf8)
    for cut in 0...bytes.count {
      var talk = Talk()
      for part in [bytes[..<cut], bytes[cut...]] { talk.receive(part, at: 1) }
      #expect(talk.contents == Self.answers, "cut at \(cut)")
      #expect(talk.last == "receive")
    }
    var talk = Talk()
    for byte in bytes { talk.receive([byte], at: 1) }
    #expect(talk.contents == Self.answers)
  }

  @Test func `answers to requests that came together are sent together, a few at a time`() {
    var talk = Talk()
    talk.receive(Array(Self.pipeline.utf8)[...], at: 1)
    #expect(talk.steps == ["send", "receive"])
    talk = Talk()
    talk.receive(Array(String(repeating: Self.get("/x"), count: 40).utf8)[...], at: 1)
    #expect(talk.contents == Array(repeating: "GET /x ", count: 40))
    #expect(talk.steps == ["send", "send", "send", "receive"])
  }

  @Test func `nothing more is answered before the client has taken what was`() {
    var talk = Talk(room: 0)
    talk.receive(Array(Self.pipeline.utf8)[...], at: 1)
    let together = talk.asked.count
    talk.receive(Array(Self.pipeline.utf8)[...], at: 2)
    #expect(talk.steps == ["send", "send"])
    #expect(talk.asked.count == together)
    talk.room = .max
    talk.run(at: 3)
    #expect(talk.contents == Self.answers + Self.answers)
  }

  @Test func `a paced answer comes behind what was there before, and holds up what comes after it`() {
    var talk = Talk()
    talk.receive(Array((Self.get("/a") + Self.get("/slow") + Self.get("/b")).utf8)[...], at: 1)
    #expect(talk.steps == ["send", "pace 7", "wait"])
    #expect(talk.contents == ["GET /a "])
    let isPaced = talk.conversation.isPaced
    #expect(isPaced)
    talk.receive(Array(Self.get("/c").utf8)[...], at: 2)
    #expect(talk.asked.count == 2)
    talk.conversation.paced(.written, at: Talk.moment(30))
    talk.run(at: 30)
    #expect(talk.contents == ["GET /a ", "GET /b ", "GET /c "])
    // A request counts from when it had come, or when the answer before it was over.
    #expect(talk.asked.map(\.at) == [1, 1, 30, 30])
    #expect(talk.asked.map(\.isFirst) == [true, false, false, false])
    #expect(talk.left.isEmpty)
  }

  static let endings: [(target: String, isInputOver: Bool, steps: [String])] = [
    ("/close", false, ["send", "finish", "receive"]), ("/close", true, ["send", "close"]),
    ("/truncate", false, ["finish", "receive"]), ("/reset", false, ["reset"]), ("/reset", true, ["reset"]),
    ("/hang", false, ["receive"]), ("/hang", true, ["close"]), ("/disordered", false, ["send", "finish", "receive"]),
  ]

  @Test(arguments: endings) func `an answer ends as it says`(row: (target: String, isInputOver: Bool, steps: [String]))
  {
    var talk = Talk()
    talk.conversation.received(Array(Self.get(row.target).utf8)[...], at: Talk.moment(1))
    if row.isInputOver { talk.conversation.ended(at: Talk.moment(1)) }
    talk.run(at: 1)
    #expect(talk.steps == row.steps)
    #expect(talk.left == (row.target == "/hang" && row.isInputOver ? [1] : []))
    // What still comes is of no interest, except that it ends.
    talk.steps = []
    talk.receive(Array(Self.get("/late").utf8)[...], at: 2)
    talk.conversation.ended(at: Talk.moment(3))
    talk.run(at: 3)
    #expect(talk.asked.count == 1)
    #expect(talk.last == (row.target == "/reset" ? "reset" : "close"))
    if row.target == "/hang", !row.isInputOver { #expect(talk.left == [3]) }
  }

  static let refusals: [(request: String, line: String)] = [
    ("GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 400 "), (get("/" + String(repeating: "x", count: 300)), "HTTP/1.1 431 "),
    ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\n", "HTTP/1.1 413 "),
    ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nb\r\nabcdefghijk\r\n", "HTTP/1.1 413 "),
    ("GET / HTTP/3.0\r\nHost: h\r\n\r\n", "HTTP/1.1 505 "), (get("*"), "HTTP/1.1 400 "),
  ]

  @Test(arguments: refusals) func `what is refused is the last on its connection, however it is cut`(
    row: (request: String, line: String)
  ) {
    let bytes = Array((Self.get("/1") + row.request + Self.get("/2")).utf8)
    for cut in 0...bytes.count {
      var talk = Talk()
      for part in [bytes[..<cut], bytes[cut...]] { talk.receive(part, at: 1) }
      #expect(talk.asked.count == 1)
      #expect(talk.text.contains(row.line), "cut at \(cut)")
      #expect(talk.steps.suffix(2) == ["finish", "receive"])
    }
  }

  @Test func `a client that waits for 100 Continue gets it`() {
    var talk = Talk()
    let head = "POST /p HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
    talk.receive(Array(head.utf8)[...], at: 1)
    #expect(talk.text == "HTTP/1.1 100 Continue\r\n\r\n")
    talk.receive(Array("xy".utf8)[...], at: 2)
    #expect(talk.text.hasSuffix("POST /p xy"))
  }

  @Test func `deadlines are those of a silent client, a slow head, slow content, a slow reader and an end`() {
    var talk = Talk()
    func expect(_ milliseconds: Int64?, _ comment: Comment) {
      #expect(talk.conversation.deadline == milliseconds.map(Talk.moment) ?? .never, comment)
    }
    talk.run(at: 0)
    expect(100, "before the first byte")
    talk.receive(Array("POST /x HTTP/1.1\r\n".utf8)[...], at: 10)
    talk.receive(Array("Host: h\r\n".utf8)[...], at: 60)
    expect(110, "in a head")
    talk.receive(Array("Content-Length: 2\r\n\r\n".utf8)[...], at: 90)
    expect(190, "in content")
    talk.receive(Array("a".utf8)[...], at: 180)
    expect(280, "in later content")
    talk.room = 10
    talk.receive(Array("b".utf8)[...], at: 200)
    expect(300, "with unsent bytes")
    talk.room = .max
    talk.run(at: 250)
    expect(350, "between requests")
    talk.receive(Array(Self.get("/slow").utf8)[...], at: 300)
    expect(nil, "while the pacing thread has an answer")
    talk.conversation.paced(.written, at: Talk.moment(5000))
    talk.run(at: 5000)
    expect(5100, "after a paced answer")
    talk.receive(Array(Self.get("/close").utf8)[...], at: 5050)
    expect(6050, "at the end")
    talk.conversation.timedOut(at: Talk.moment(6050))
    talk.run(at: 6050)
    #expect(talk.last == "close")
    talk = Talk()
    talk.receive(Array(Self.get("/hang").utf8)[...], at: 1)
    expect(nil, "of a client that is left waiting")
  }

  @Test func `a client that is late with a request is told, one that sends none is not`() {
    var talk = Talk()
    talk.conversation.timedOut(at: Talk.moment(100))
    talk.run(at: 100)
    #expect(talk.steps == ["finish", "receive"])
    talk = Talk()
    talk.receive(Array("GET /".utf8)[...], at: 1)
    talk.conversation.timedOut(at: Talk.moment(101))
    talk.run(at: 101)
    #expect(talk.text.hasPrefix("HTTP/1.1 408 "))
    #expect(talk.steps.suffix(2) == ["finish", "receive"])
  }

  @Test func `who is to know that a client left is told once, and only then`() {
    var reader = Talk(room: 5)
    reader.receive(Array(Self.get("/a").utf8)[...], at: 1)
    #expect(reader.left.isEmpty)
    reader.conversation.timedOut(at: Talk.moment(9))
    reader.run(at: 9)
    #expect(reader.left == [9])
    #expect(reader.last == "close")

    var paced = Talk()
    paced.receive(Array(Self.get("/slow").utf8)[...], at: 1)
    paced.conversation.paced(.gone(Talk.moment(4)), at: Talk.moment(5))
    paced.run(at: 5)
    #expect(paced.left == [4])
    #expect(paced.steps == ["pace 7", "wait", "finish", "receive"])

    var fine = Talk()
    fine.receive(Array(Self.get("/a").utf8)[...], at: 1)
    fine.conversation.broke(at: Talk.moment(2))
    fine.run(at: 2)
    #expect(fine.left.isEmpty)
    #expect(fine.last == "close")
  }

  @Test func `a connection is idle between and before requests, and in a request until its answer is sent`() {
    var talk = Talk()
    func state(_ idleSince: Int64?, isInRequest: Bool, _ comment: Comment) {
      #expect(talk.conversation.idleSince == idleSince.map(Talk.moment), comment)
      #expect(talk.conversation.isInRequest == isInRequest, comment)
    }
    state(0, isInRequest: false, "before the first byte")
    talk.receive(Array("GET /a HT".utf8)[...], at: 3)
    state(3, isInRequest: true, "in a head")
    talk.room = 5
    talk.receive(Array("TP/1.1\r\nHost: h\r\n\r\n".utf8)[...], at: 4)
    state(nil, isInRequest: true, "with unsent bytes")
    talk.room = .max
    talk.run(at: 6)
    state(6, isInRequest: false, "between requests")
    talk.receive(Array(Self.get("/slow").utf8)[...], at: 7)
    state(nil, isInRequest: true, "while the pacing thread has an answer")
    talk.conversation.paced(.written, at: Talk.moment(8))
    talk.receive(Array(Self.get("/hang").utf8)[...], at: 9)
    state(nil, isInRequest: false, "while the client waits in vain")
    talk = Talk()
    talk.receive(Array(Self.get("/a", "Connection: close\r\n").utf8)[...], at: 2)
    state(2, isInRequest: false, "while the client lingers behind the last answer")
  }

  @Test func `no order of bytes and events traps, and every conversation comes to its end`() {
    var random = Seeded(state: 42)
    let targets = ["/a", "/slow", "/close", "/reset", "/hang", "/truncate", "/disordered", "/large", "*"]
    for _ in 0..<2000 {
      var talk = Talk()
      var now: Int64 = 1
      var bytes = Array((0..<5).map { _ in Self.get(targets[random.next(below: targets.count)]) }.joined().utf8)
      for _ in 0..<random.next(below: 4) { bytes[random.next(below: bytes.count)] = UInt8(random.next(below: 256)) }
      for _ in 0..<30 {
        now += 1
        talk.room = [0, 1, 1000, Int.max][random.next(below: 4)]
        switch random.next(below: 8) {
        case 0: talk.conversation.timedOut(at: Talk.moment(now))
        case 1: talk.conversation.paced(.written, at: Talk.moment(now))
        case 2: talk.conversation.paced(.gone(Talk.moment(now)), at: Talk.moment(now))
        case 3 where random.next(below: 10) == 0: talk.conversation.ended(at: Talk.moment(now))
        default:
          let part = bytes.prefix(random.next(below: 60))
          bytes.removeFirst(part.count)
          if !part.isEmpty { talk.conversation.received(part, at: Talk.moment(now)) }
        }
        talk.run(at: now)
      }
      talk.room = .max
      for _ in 0..<10 {
        talk.conversation.paced(.written, at: Talk.moment(now))
        talk.conversation.ended(at: Talk.moment(now))
        talk.run(at: now)
      }
      #expect(talk.last == "close" || talk.last == "reset")
    }
  }
}

/// Does what a conversation says, as a socket would that has room for a number of bytes, and keeps account of it.
private struct Talk: ~Copyable {
  struct Asked: Equatable {
    var text: String
    var at: Int64
    var isFirst: Bool
  }

  private final class Account: Sendable {
    let asked = Mutex<[Asked]>([])
    let left = Mutex<[Int64]>([])
  }

  static func moment(_ milliseconds: Int64) -> Moment { Moment(nanoseconds: milliseconds * 1_000_000) }

  var conversation: Conversation
  var room: Int
  var steps: [String] = []
  private var output: [UInt8] = []
  private let account: Account

  init(room: Int = .max) {
    let account = Account()
    self.account = account
    self.room = room
    let limits = LaunchServer.Limits(headBytes: 200, bodyBytes: 10, idle: .milliseconds(100))
    conversation = Conversation(address: "127.0.0.1:1", limits: limits, at: Self.moment(0)) { arrival in
      let request = arrival.request
      let text = "\(request.method) \(request.location.path) \(String(decoding: request.body.bytes, as: UTF8.self))"
      let asked = Asked(text: text, at: arrival.moment.nanoseconds / 1_000_000, isFirst: arrival.isFirst)
      account.asked.withLock { $0.append(asked) }
      var reply = Reply(Self.answer(request.location.path, text))
      reply.number = 7
      reply.onLeave = { moment in account.left.withLock { $0.append(moment.nanoseconds / 1_000_000) } }
      return reply
    }
  }

  private static func answer(_ path: String, _ text: String) -> Answer {
    let head = ResponseHead(status: 200)
    switch path {
    case "/slow": return Answer(head: head, body: Array(text.utf8), after: .milliseconds(20))
    case "/close": return Answer(head: ResponseHead(status: 200, fields: ["Connection": "close"]), body: [])
    case "/truncate": return Answer(parts: [.init(at: .zero, .fault(.truncate))])
    case "/reset": return Answer(parts: [.init(at: .zero, .fault(.reset))])
    case "/hang": return Answer(parts: [.init(at: .zero, .fault(.hang))])
    case "/disordered": return Answer(parts: [.init(at: .zero, .end(Ending()))])
    case "/large": return Answer(head: head, body: [UInt8](repeating: 7, count: 200_000))
    default: return Answer(head: head, body: Array(text.utf8))
    }
  }

  var asked: [Asked] { account.asked.withLock { $0 } }
  var left: [Int64] { account.left.withLock { $0 } }
  var last: String? { steps.last }
  var text: String { String(decoding: output, as: UTF8.self) }

  /// The contents of the answers that were sent.
  var contents: [String] {
    text.split(separator: "HTTP/1.1 ").compactMap {
      $0.split(separator: "\r\n\r\n", maxSplits: 1).last.map(String.init)
    }
  }

  mutating func receive(_ bytes: ArraySlice<UInt8>, at milliseconds: Int64) {
    if !bytes.isEmpty { conversation.received(bytes, at: Self.moment(milliseconds)) }
    run(at: milliseconds)
  }

  /// Goes on until the conversation waits for something.
  mutating func run(at milliseconds: Int64) {
    let now = Self.moment(milliseconds)
    while true {
      switch conversation.next(at: now) {
      case .send:
        note("send")
        let next = conversation.outbox.next
        let sent = Array((next.first + next.second).prefix(room))
        guard !sent.isEmpty else { return }
        room -= sent.count
        output += sent
        conversation.sent(sent.count, at: now)
      case .pace(let job): note("pace \(job.number)")
      case .finish: note("finish")
      case .receive: return note("receive")
      case .wait: return note("wait")
      case .reset: return note("reset")
      case .close: return note("close")
      }
    }
  }

  private mutating func note(_ step: String) {
    // Waiting for the same once more is not another step.
    if steps.last != step || step == "send" { steps.append(step) }
  }
}

/// Numbers that are the same in every run (a linear congruential generator, constants of Knuth's MMIX).
private struct Seeded {
  var state: UInt64

  mutating func next(below limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }
}
