public import LaunchCassette

/// How a replay decides which recorded exchange answers a request.
///
/// ```swift
/// var matching = Matching()
/// try matching.map("api.onesignal.com=127.0.0.1:9001")
/// try matching.ignore("api.example.com body.sent_at")
/// try matching.repeat("7=loop")
/// let deck = try Deck(cassette: "first-launch", matching: matching)
/// ```
///
/// Method, scheme, host, port and the segments of the path are compared, the query and a form by their decoded pairs
/// (names in any order; values of one name in theirs, because a server may tell a list from its reverse), JSON by value, a multipart
/// form by the names, file names, types and contents of its parts, any other body byte by byte; less what is ignored. Header
/// fields are not compared. Where the recording has a pseudonym for a redacted value, a request may have any value, and
/// then the same one wherever that pseudonym stands.
///
/// OneSignal's SDK gathers what changes about a user for five seconds and sends it in one request, `PATCH` of
/// `/apps/…/users/by/…` (vendors.md 3.4), so which changes leave together is a matter of milliseconds. Where no unused
/// recorded update is equal as a whole, each change is matched by itself, whichever update it was recorded in:
/// - A change is a tag, another property or a delta: a value at its place in the body. `refresh_device_metadata` is none. A
///   `session_count` of 2 is twice a 1.
/// - Each change uses the first unused recorded one that is equal. All of them must have one; the first of the recorded
///   updates that these stand in answers, again for as many requests as its changes are spread over.
/// - An answer other than 2xx uses only the changes in its own recorded update, since the SDK sends the rest again.
/// - A change that was never recorded is a miss that names it. One that was, and is used, is for the policy below.
/// - A recorded update counts as unused until all of its changes are used.
public struct Matching: Sendable {
  /// What happens when every recorded exchange that fits a request has been used; in a merged update, every one with
  /// a change of it.
  public enum Repeat: String, Hashable, Sendable, CaseIterable {
    /// The request is a miss.
    case fail
    /// The last of them answers again.
    case last
    /// They answer again from the first on.
    case loop
  }

  /// Hosts that the app reaches at other addresses than the recording did.
  private(set) var hosts: [HostMap] = []
  /// Left out besides what the vendors' SDKs fill in anew in every run.
  public var ignored: [IgnoredField] = []
  /// For the calls that have no policy of their own.
  public var repeats = Repeat.fail
  /// For single calls, by the number in the cassette. It goes before a call's own `"repeat"` there; of several recorded
  /// calls that fit one request, the first that has a policy decides.
  public var repeatsOfCalls: [Int: Repeat] = [:]
  /// Undoes a request body's content encoding: called with the body and the coding's name in lower case; nil when it
  /// cannot. Encoded bodies are compared as bytes without it.
  public var decode: (@Sendable (_ body: [UInt8], _ coding: String) -> [UInt8]?)?

  /// The rules that a recording was redacted by. Asked for only when it was cut off, so that it lists no pseudonyms.
  public var redactionRules = RedactionRules.builtIn

  /// Nothing mapped, nothing ignored but the vendors' fields, no answer given twice.
  public init() {}

  /// Takes requests to an address for requests to a recorded host, from text such as `api.onesignal.com=127.0.0.1:9001`.
  ///
  /// The host is reached over `https` unless it says `http://`; the address stands for it under any scheme unless it names one.
  /// - Throws: `MatchingError` that says what is wrong, also for an address that stands for another host already.
  public mutating func map(_ text: String) throws(MatchingError) {
    let map = try HostMap(text)
    if let other = hosts.first(where: { $0.hasAddress(of: map) && $0.host != map.host }) {
      throw MatchingError(text, "\(map.address) stands for \(other.host) already; give each host an address of its own")
    }
    hosts.append(map)
  }

  /// Leaves a field out of the comparison; the text is that of `IgnoredField`.
  /// - Throws: `MatchingError` that says what is wrong with the text.
  public mutating func ignore(_ text: String) throws(MatchingError) { ignored.append(try IgnoredField(text)) }

  /// Sets the policy for all calls, `loop`, or for one, `7=loop`.
  /// - Throws: `MatchingError` that says what is wrong with the text.
  public mutating func `repeat`(_ text: String) throws(MatchingError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let word = parts.last, let policy = Repeat(rawValue: String(word)) else {
      throw MatchingError(text, "'\(parts.last ?? "")' is no policy; there is fail, last and loop")
    }
    if parts.count == 1 { return repeats = policy }
    guard let call = Int(parts[0]), call > 0 else {
      throw MatchingError(text, "'\(parts[0])' is no number of a call; write 7=\(word)")
    }
    repeatsOfCalls[call] = policy
  }
}

/// What is wrong with the text of a matching option.
public struct MatchingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text as it was given.
  public var text: String
  /// What is wrong with it, and what would be right.
  public var message: String

  init(_ text: String, _ message: String) {
    self.text = text
    self.message = message
  }

  public var description: String { "'\(text)': \(message)" }
}
