import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// What a run did, in the order and at the times at which it did it.
struct Observed: Hashable, Sendable {
  struct Call: Hashable, Sendable {
    var at: Duration
    var request: Request
    /// When the answer was complete, or the call failed.
    var end: Duration?
    var error: TransportError?

    var body: JSON { (try? JSON(parsing: request.body.bytes)) ?? .null }
    var form: FormPairs {
      FormPairs(parsing: request.body.isEmpty ? Array((request.location.query ?? "").utf8) : request.body.bytes)
    }
  }

  let events: [Event]

  init(_ recording: Recording) { events = recording.events }

  var marks: [(at: Duration, mark: Mark)] {
    events.compactMap { event in
      if case .mark(let mark) = event.kind { (event.at - .zero, mark) } else { nil }
    }
  }

  /// When the marks of that name were made.
  func times(of mark: String) -> [Duration] { marks.filter { $0.mark.name == mark }.map(\.at) }

  func times(of entry: WaitingTimeEntry) -> [Duration] { times(of: entry.rawValue) }

  func time(of entry: WaitingTimeEntry) -> Duration? { times(of: entry).first }

  /// The names of the log's marks, in order.
  var logged: [WaitingTimeEntry] { marks.compactMap { WaitingTimeEntry(rawValue: $0.mark.name) } }

  func calls(_ kind: VendorCallKind) -> [Call] {
    events.compactMap { event -> Call? in
      guard case .call(let id, .request(let request, _)) = event.kind, VendorCallKind(request) == kind else {
        return nil
      }
      var call = Call(at: event.at - .zero, request: request)
      for case (let at, .call(id, let step)) in events.map({ ($0.at, $0.kind) }) {
        switch step {
        case .end: call.end = at - .zero
        case .error(let error, _): (call.end, call.error) = (at - .zero, error)
        default: break
        }
      }
      return call
    }
  }

  /// The kinds of all calls, in order of their requests.
  var calls: [VendorCallKind] {
    events.compactMap { event in
      if case .call(_, .request(let request, _)) = event.kind { VendorCallKind(request) } else { nil }
    }
  }
}
