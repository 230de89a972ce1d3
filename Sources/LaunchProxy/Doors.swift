import LaunchHTTP
import LaunchServer

/// What lies behind the main listener.
///
/// A program whose proxy variables name the main listener sends it the requests to the replay's other ports, too.
struct Doors: Sendable {
  enum Door {
    case origin(Origin)
    case control
  }

  let origins: RecordedOrigins
  let endpoint: ControlEndpoint
  var ports: [Int: Door] = [:]

  func respond(to arrival: Arrival) -> Reply {
    let location = arrival.request.location
    if LoopbackAddress.isLoopback(location.host), let door = location.port.flatMap({ ports[$0] }) {
      switch door {
      case .origin(let origin): return endpoint.replay.respond(to: arrival, for: origin, through: .base)
      case .control: return endpoint.respond(to: arrival.request)
      }
    }
    return endpoint.replay.respond(to: arrival, for: origins.origin(of: location), through: .proxy)
  }
}
