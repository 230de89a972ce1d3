import LaunchHTTP
import LaunchTrace

/// A request and its whole answer, as one entry of a trace: a server may have millions, so it holds what differs from the
/// recording and nothing else.
struct ServedExchange {
  let at: Instant
  /// The number of the recorded exchange that answered.
  let exchange: UInt32
  /// What was asked, by its number among the askings.
  let asking: UInt32
}

/// What clients asked, as far as it is not what the recording has. What many requests have in common is kept once.
struct Askings {
  private enum Asking {
    /// The recorded request with other header lines.
    case recorded(Fields)
    /// - from: The call whose redirect the request follows.
    indirect case other(Request, from: Int?)
  }

  private var list: [Asking] = []
  private var numbers: [Fields: UInt32] = [:]
  /// Whose lines the request before this one had, which the next one mostly has, too.
  private var last: (fields: Fields, number: UInt32)?

  /// The number of what `request` asks, as compared with the recorded one.
  mutating func number(of request: Request, from origin: Int?, recorded: Request) -> UInt32 {
    guard origin == nil, request.method == recorded.method, request.location == recorded.location,
      request.body == recorded.body
    else { return add(.other(request, from: origin)) }
    if let last, last.fields == request.fields { return last.number }
    let number = numbers[request.fields] ?? add(.recorded(request.fields))
    numbers[request.fields] = number
    last = (request.fields, number)
    return number
  }

  /// The request with this number, where `recorded` is what answered.
  func request(_ number: UInt32, recorded: Request) -> (request: Request, from: Int?) {
    switch list[Int(number)] {
    case .recorded(let fields):
      var request = recorded
      request.fields = fields
      return (request, nil)
    case .other(let request, let origin): return (request, origin)
    }
  }

  private mutating func add(_ asking: Asking) -> UInt32 {
    list.append(asking)
    return UInt32(list.count - 1)
  }
}
