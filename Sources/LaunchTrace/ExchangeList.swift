package import LaunchHTTP

/// The exchanges of a trace in order of their requests, each folded from its events whenever it is asked for: a recording
/// of thousands is held once, as its events.
///
/// Steps of a call without a request are left out.
package struct ExchangeList: Sendable {
  private let events: [Event]
  /// The events of each exchange, the request's first.
  private let places: Grouping

  /// - Parameter isWanted: Exchanges with other requests are left out, too.
  /// - Complexity: O(n) in the number of events.
  package init(_ events: [Event], where isWanted: (Request) -> Bool = { _ in true }) {
    self.events = events
    var exchanges = [Int32](repeating: -1, count: events.count)
    var count: Int32 = 0
    // Calls count from 1 in order of their requests; only those of an edited recording have to be looked up.
    var oddNumbers: [Int: Int32] = [:]
    var calls: [Int] = []
    for index in events.indices {
      guard case .call(let call, let step) = events[index].kind else { continue }
      if case .request(let request, _) = step {
        guard isWanted(request) else { continue }
        if call != Int(count) + 1 || !oddNumbers.isEmpty { oddNumbers[call] = count }
        exchanges[index] = count
        calls.append(call)
        count += 1
      } else {
        let number = oddNumbers[call].map { Int($0) } ?? call &- 1
        if calls.indices.contains(number), calls[number] == call { exchanges[index] = Int32(number) }
      }
    }
    places = Grouping(exchanges, count: Int(count))
  }

  /// The event with the request of an exchange.
  package func opening(of number: Int) -> Event { events[places.member(0, of: number)] }

  /// The number of an exchange's call.
  package func call(of number: Int) -> Int {
    guard case .call(let call, _) = events[places.member(0, of: number)].kind else { return 0 }
    return call
  }

  package func request(of number: Int) -> Request {
    guard case .call(_, .request(let request, _)) = events[places.member(0, of: number)].kind else {
      preconditionFailure("an exchange begins with its request")
    }
    return request
  }

  /// Whether a connection was opened for an exchange.
  package func opensConnection(for number: Int) -> Bool {
    (1..<places.memberCount(of: number)).contains { place in
      guard case .call(_, .connection(let connection)) = events[places.member(place, of: number)].kind else {
        return false
      }
      return !connection.isReused
    }
  }

  /// How many steps an exchange has behind its request.
  package func stepCount(of number: Int) -> Int { places.memberCount(of: number) - 1 }

  /// The step of an exchange at a place among those behind its request.
  package func step(_ place: Int, of number: Int) -> Event.Step {
    guard case .call(_, let step) = events[places.member(place + 1, of: number)].kind else {
      preconditionFailure("an exchange has steps of its call")
    }
    return step
  }
}

extension ExchangeList: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { places.count }

  package subscript(number: Int) -> Exchange {
    let first = places.member(0, of: number)
    guard case .call(let call, let opening) = events[first].kind else {
      preconditionFailure("an exchange begins with its request")
    }
    var steps: [Exchange.TimedStep] = []
    let count = places.memberCount(of: number)
    steps.reserveCapacity(count - 1)
    for place in 1..<count {
      let index = places.member(place, of: number)
      if case .call(_, let step) = events[index].kind {
        steps.append(Exchange.TimedStep(at: events[index].at, step: step))
      }
    }
    return Exchange(call: call, opening: opening, requested: events[first].at, steps: steps)
  }
}
