import LaunchHTTP
import LaunchJSON

/// One vendor's servers as a value: a table of routes, and what each call does to the state.
protocol StandIn {
  static var routes: [Route] { get }
  /// The vendor's error body.
  static func errorBody(of refusal: Refusal) -> JSON
  var pace: Pace { get set }
  /// Does what a call asks for. Only calls of `routes` come here.
  mutating func reply(to call: VendorCall, _ request: RoutedRequest) throws(Refusal) -> Reply
}

/// A latency profile and how many answers of each kind it has timed so far.
struct Pace {
  var profile: LatencyProfile
  private var counts: [VendorCall: Int] = [:]

  init(_ profile: LatencyProfile) { self.profile = profile }

  mutating func answer(_ reply: Reply, to call: VendorCall) -> Answer {
    counts[call, default: 0] += 1
    return profile.answer(reply, to: call, number: counts[call, default: 0])
  }
}

/// One line of a stand-in's table.
struct Route: Sendable {
  let hosts: [String]
  let method: String
  /// Path segments, `*` for any non-empty one.
  let pattern: [Substring]
  let call: VendorCall

  init(_ hosts: [String], _ method: String, _ path: String, _ call: VendorCall) {
    self.hosts = hosts
    self.method = method
    self.pattern = segments(of: path)
    self.call = call
  }

  /// What stands for the stars, percent-decoded; nil when the path is another one.
  func captures(_ path: [Substring]) -> [String]? {
    guard path.count == pattern.count else { return nil }
    var captures: [String] = []
    for (segment, wanted) in zip(path, pattern) {
      if wanted == "*", !segment.isEmpty {
        captures.append(String(segment).percentDecoded)
      } else if segment != wanted {
        return nil
      }
    }
    return captures
  }
}

extension StandIn {
  static func isHost(_ host: String) -> Bool { routes.contains { $0.hosts.contains(host) } }

  /// Every host of the routes, once each, in their order.
  static var hosts: [String] {
    var hosts: [String] = []
    for host in routes.flatMap(\.hosts) where !hosts.contains(host) { hosts.append(host) }
    return hosts
  }

  /// The call that `request` is; `unknown` when nothing of this vendor's is there.
  static func call(of request: Request) -> VendorCall { route(of: request)?.route.call ?? .unknown }

  /// Answers `request`, with the vendor's error when it is wrong, or as `fault` has it.
  mutating func answer(_ request: Request, _ fault: Fault? = nil) -> Answer {
    switch fault {
    case nil, .pass: usualAnswer(to: request)
    case .wait(let delay): usualAnswer(to: request).delayed(by: delay)
    case .slow(let rate): usualAnswer(to: request).slowed(to: rate)
    case .status(let status, let seconds): refusal(status, retryAfter: seconds, of: request)
    case .drop: failure(.truncate, of: request)
    case .reset: failure(.reset, of: request)
    case .hang: failure(.hang, of: request)
    }
  }

  private mutating func usualAnswer(to request: Request) -> Answer {
    guard let (route, captures) = Self.route(of: request) else {
      return pace.answer(reply(to: misrouted(request)), to: .unknown)
    }
    do throws(Refusal) {
      return pace.answer(try reply(to: route.call, RoutedRequest(request, captures: captures)), to: route.call)
    } catch {
      return pace.answer(reply(to: error), to: route.call)
    }
  }

  /// What a script wants, in the vendor's words and at the usual time.
  private mutating func refusal(_ status: Int, retryAfter seconds: Int?, of request: Request) -> Answer {
    var refusal = Refusal(status, "scripted_\(status)", "this answer comes from a fault script")
    if let seconds { refusal.fields.append("Retry-After", "\(seconds)") }
    return pace.answer(reply(to: refusal), to: Self.call(of: request))
  }

  /// The exchange fails at the time its answer would have begun.
  private mutating func failure(_ fault: Answer.Fault, of request: Request) -> Answer {
    let usual = pace.answer(Reply([:]), to: Self.call(of: request))
    return Answer(parts: [Answer.TimedPart(at: usual.parts.first?.offset ?? .zero, .fault(fault))])
  }

  private static func route(of request: Request) -> (route: Route, captures: [String])? {
    let path = segments(of: request.location.path)
    for route in routes where route.method == request.method && route.hosts.contains(request.location.host) {
      if let captures = route.captures(path) { return (route, captures) }
    }
    return nil
  }

  private func misrouted(_ request: Request) -> Refusal {
    let host = request.location.host
    let path = segments(of: request.location.path)
    let allowed = Self.routes.filter { $0.hosts.contains(host) && $0.captures(path) != nil }.map(\.method)
    if !Self.isHost(host) { return Refusal(421, "misdirected_request", "no stand-in answers for host \(host)") }
    if allowed.isEmpty { return Refusal(404, "not_found", "\(host) has nothing at \(request.location.path)") }
    return Refusal(
      405, "method_not_allowed", "\(request.method) is not a method of \(request.location.path)",
      fields: ["Allow": allowed.joined(separator: ", ")])
  }

  private func reply(to refusal: Refusal) -> Reply {
    var reply = Reply(Self.errorBody(of: refusal), status: refusal.status)
    for field in refusal.fields { reply.fields.append(field.name, field.value) }
    return reply
  }
}

/// The parts between the slashes; a trailing slash makes an empty last one, because to these servers it matters.
private func segments(of path: String) -> [Substring] {
  Array(path.split(separator: "/", omittingEmptySubsequences: false).dropFirst())
}
