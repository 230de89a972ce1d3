import LaunchJSON

/// What a vendor's SDK fills in anew in every run, so that no request would ever match its recording.
///
/// Only times, queue counters and identifiers made for one message are left out of matching. Who the user and the device
/// are stays in: a launch that mixes them up must not be answered.
struct PerRunFields {
  /// Names in forms and queries.
  var names: Set<String> = []
  /// Members of JSON bodies as paths; `*` stands for every element of an array.
  var paths: [[Substring]] = []

  init(names: Set<String> = [], paths: [String] = []) {
    self.names = names
    self.paths = paths.map { $0.split(separator: ".") }
  }

  static func sent(to host: String) -> PerRunFields {
    let vendor = vendors.first { vendor in
      vendor.domains.contains { host == $0 || host.hasSuffix(".\($0)") }
    }
    return vendor?.fields ?? PerRunFields()
  }

  /// `value` without the members that are filled in anew.
  func removed(from value: JSON) -> JSON {
    paths.reduce(value) { $0.removing($1[...]) }
  }
}

private let vendors: [(domains: [String], fields: PerRunFields)] = [
  (
    ["adjust.com", "adjust.io"],
    // The session group, the SKAdNetwork group and what is added when sending: vendors.md 1.3 A.
    PerRunFields(names: [
      "created_at", "started_at", "installed_at", "session_length", "time_spent", "skadn_registered_at",
      "last_skan_update", "sent_at", "queue_size", "enqueue_size", "retry_count", "first_error", "last_error",
      "wait_total", "wait_time",
    ])
  ),
  (
    ["adapty.io"],
    // Test users get a random disable_cache: vendors.md 2.3, 7. Times of installing: vendors.md 2.3, 3. The members of an
    // event: AdaptySDK-iOS 3.17, Sources/Events/Entities, Event.Packed.swift and AdaptySystemEventParameters.swift.
    PerRunFields(
      names: ["disable_cache"],
      paths: [
        "client_time", "install_time",
        "data.attributes.events.*.event_id", "data.attributes.events.*.session_id",
        "data.attributes.events.*.created_at", "data.attributes.events.*.sdk_flow_id",
        "data.attributes.events.*.metrics",
      ])
  ),
  (
    ["onesignal.com"],
    // Deltas of a session: vendors.md 3.2, 4. Sessions of newer builds: vendors.md 3.2, 6.
    PerRunFields(paths: ["deltas.session_time", "start_time", "end_time", "duration_seconds", "idempotency_key"])
  ),
]

extension JSON {
  fileprivate func removing(_ path: ArraySlice<Substring>) -> JSON {
    guard let name = path.first else { return self }
    let rest = path.dropFirst()
    switch self {
    case .array(let elements) where name == "*": return .array(elements.map { $0.removing(rest) })
    case .object(var object):
      if rest.isEmpty {
        object.members.removeAll { $0.key == name }
      } else {
        for index in object.members.indices where object.members[index].key == name {
          object.members[index].value = object.members[index].value.removing(rest)
        }
      }
      return .object(object)
    default: return self
    }
  }
}
