import LaunchCassette
import LaunchTrace
import Testing

/// What a header says about the order of the events.
struct HeaderOrderTests {
  static let headers: [(members: String, order: TraceOrder)] = [
    ("", .recorded), (#","order":"time""#, .time(TimeOrder(resolution: .zero))),
    (#","order":"time","resolution":5000"#, .time(TimeOrder(resolution: .milliseconds(5)))),
    (
      #","order":"time","resolution":1,"branches":[["a","b"],[]]"#,
      .time(TimeOrder(resolution: .microseconds(1), branches: [["a", "b"], []]))
    ),
  ]

  @Test(arguments: headers)
  func `the order is read and written`(members: String, order: TraceOrder) throws {
    let text = #"{"cassette":1,"name":"x""# + members + "}\n"
    let cassette = try Cassette(parsing: Array(text.utf8), path: "x.cassette")
    #expect(cassette.header.order == order)
    #expect(cassette.trace.order == order)
    #expect(String(decoding: cassette.serialized, as: UTF8.self) == text)
  }

  @Test func `the recorder's order may be named, and is not written`() throws {
    let text = #"{"cassette":1,"name":"x","order":"recorded"}"#
    let cassette = try Cassette(parsing: Array(text.utf8), path: "x.cassette")
    #expect(String(decoding: cassette.serialized, as: UTF8.self) == "{\"cassette\":1,\"name\":\"x\"}\n")
  }

  static let mistakes: [(member: String, message: String)] = [
    (#""order":"clock""#, #"expected "time" or "recorded""#), (#""order":"time","resolution":-1"#, "not negative"),
    (#""order":"time","branches":["a"]"#, "column"), (#""order":5"#, "column"),
  ]

  @Test(arguments: mistakes)
  func `a wrong member is an error`(member: String, message: String) {
    let text = #"{"cassette":1,"name":"x","# + member + "}"
    do {
      _ = try Cassette(parsing: Array(text.utf8), path: "x.cassette")
      Issue.record("\(member) was read")
    } catch {
      #expect("\(error)".contains(message), "\(error)")
    }
  }
}
