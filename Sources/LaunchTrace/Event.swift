public import LaunchHTTP
public import LaunchJSON

/// What happened and when: the one value that recording appends, replay schedules, and contracts fold over.
///
/// ```swift
/// let shown = Event(at: .zero + .seconds(2), .mark(Mark("paywall shown")))
/// for event in trace.events {
///   if case .call(let call, .request(let request, _)) = event.kind { print(call, request.location) }
/// }
/// ```
public struct Event: Hashable, Sendable {
  /// What happened: to the process, to the app, to one call, or to the recording.
  public enum Kind: Hashable, Sendable {
    /// A process start; the first is 1.
    case launch(Int)
    /// The app said that something happened.
    indirect case mark(Mark)
    /// A step of the call with this number. Numbers are unique in a trace and count from 1 in order of the requests.
    case call(Int, Step)
    /// The recording ended in order; nothing follows. A trace without it is cut.
    indirect case closed(Closing)
  }

  /// One step of an exchange. The order of a complete one: request, connection, sent, informational…, response,
  /// chunk…, end.
  public enum Step: Hashable, Sendable {
    /// The client handed the request over. `from` is the call whose redirect this one follows.
    indirect case request(Request, from: Int? = nil)
    /// The call has its connection, opened for it or used before.
    indirect case connection(Connection)
    /// The last byte of the request has left.
    case sent
    /// A 1xx head; the final one still comes.
    indirect case informational(ResponseHead)
    /// The head of the final response.
    indirect case response(ResponseHead)
    /// How many content bytes (encoding undone) arrived at this instant; the content itself stands on the end.
    case chunk(bytes: Int)
    /// The response is complete.
    indirect case end(Content)
    /// The exchange failed; `content` is what had arrived until then.
    indirect case error(TransportError, Content)
  }

  /// When. Never decreases in a recorded trace; of events at one instant the order of the trace says which came first.
  public var at: Instant
  public var kind: Kind
  /// Nil, as nearly always, when there are no such members: a trace is a long list of events.
  private var kept: KeptMembers?

  /// Members of the event's line that this version does not know, kept for the next writer.
  public var unknown: JSONObject {
    get { kept?.beside ?? [:] }
    set { kept = KeptMembers(beside: newValue, inside: unknownInside) }
  }

  /// The same for members inside the event's inner object (`request`, `end`, …).
  public var unknownInside: JSONObject {
    get { kept?.inside ?? [:] }
    set { kept = KeptMembers(beside: unknown, inside: newValue) }
  }

  /// This event with its unknown members held together with those of `other` where they are equal: what is edited into a
  /// recording stands on many of its lines.
  package func sharingMembers(with other: Event) -> Event {
    guard kept == other.kept else { return self }
    var event = self
    event.kept = other.kept
    return event
  }

  /// Whether there are no unknown members at all.
  package var isPlain: Bool { kept == nil }

  /// An event without unknown members, as nearly all are.
  public init(at: Instant, _ kind: Kind) {
    self.at = at
    self.kind = kind
  }

  public init(at: Instant, _ kind: Kind, unknown: JSONObject = [:], unknownInside: JSONObject = [:]) {
    self.at = at
    self.kind = kind
    kept = KeptMembers(beside: unknown, inside: unknownInside)
  }
}

/// Two lists of members in one pointer.
private indirect enum KeptMembers: Hashable, Sendable {
  case members(beside: JSONObject, inside: JSONObject)

  /// Nil when both lists are empty.
  init?(beside: JSONObject, inside: JSONObject) {
    if beside.isEmpty && inside.isEmpty { return nil }
    self = .members(beside: beside, inside: inside)
  }

  var beside: JSONObject {
    switch self {
    case .members(let beside, _): beside
    }
  }

  var inside: JSONObject {
    switch self {
    case .members(_, let inside): inside
    }
  }
}

/// The content of a response, with what the wire form was.
public struct Content: Hashable, Sendable {
  /// The content with its encoding undone, or the wire form when `isRaw`.
  public var body: Body
  /// The fields behind the content; empty when there are none.
  public var trailers: Fields
  /// The content encoding that was undone; nil for identity.
  public var encoding: String?
  /// How many content bytes the wire carried; nil when they are as many the body has.
  public var wireBytes: Int?
  /// The encoding could not be undone.
  public var isRaw: Bool
  /// There was content, and it was not recorded: an imported file had none. A replay of it fails.
  public var isMissing: Bool

  public init(
    _ body: Body = [], trailers: Fields = [:], encoding: String? = nil, wireBytes: Int? = nil, isRaw: Bool = false,
    isMissing: Bool = false
  ) {
    self.body = body
    self.trailers = trailers
    self.encoding = encoding
    self.wireBytes = wireBytes
    self.isRaw = isRaw
    self.isMissing = isMissing
  }

  public init(
    _ bytes: [UInt8], trailers: Fields = [:], encoding: String? = nil, wireBytes: Int? = nil, isRaw: Bool = false
  ) {
    self.init(Body(bytes), trailers: trailers, encoding: encoding, wireBytes: wireBytes, isRaw: isRaw)
  }
}

/// Something the app says happened: `ATT answered`, with its fields.
///
/// ```swift
/// tap.mark(Mark("ATT answered", ["status": 2]))
/// ```
public struct Mark: Hashable, Sendable {
  /// What contracts declare the mark by, `ATT answered`; letter case counts.
  public var name: String
  /// What the app tells with it, in its own order; empty when there is nothing.
  public var fields: JSONObject

  public init(_ name: String, _ fields: JSONObject = [:]) {
    self.name = name
    self.fields = fields
  }
}

/// The closing line of a recording.
public struct Closing: Hashable, Sendable {
  /// How many events precede the closing one.
  public var events: Int
  /// Pseudonyms by kind, for readers that bind them; empty without redaction.
  public var redacted: JSONObject
  /// What the recorder itself cost; nil when it was not measured.
  public var overhead: Overhead?

  public init(events: Int, redacted: JSONObject = [:], overhead: Overhead? = nil) {
    self.events = events
    self.redacted = redacted
    self.overhead = overhead
  }
}

/// How long a recorder held deliveries back before the client had them, each rounded up to whole microseconds.
///
/// ```swift
/// if case .closed(let closing) = trace.events.last?.kind, let overhead = closing.overhead { print(overhead.p99) }
/// ```
public struct Overhead: Hashable, Sendable {
  /// How many were measured; at least one.
  public var deliveries: Int
  /// The median, by nearest rank.
  public var p50: Duration
  /// What 99 of 100 deliveries do not exceed, by nearest rank.
  public var p99: Duration
  public var max: Duration

  public init(deliveries: Int, p50: Duration, p99: Duration, max: Duration) {
    self.deliveries = deliveries
    self.p50 = p50
    self.p99 = p99
    self.max = max
  }
}
