/// What the vendors' SDKs fill in anew in every run, so that no request would ever match its recording.
///
/// Only times, queue counters and identifiers made for one message are left out of matching. Who the user and the device
/// are stays in: a launch that mixes them up must not be answered. MotiSig's SDK sends nothing of the kind: vendors.md 4.2.
let vendorFields: [IgnoredField] =
  // The session group, the SKAdNetwork group and what is added when sending: vendors.md 1.3 A. A GET has it in the query.
  fields(
    of: ["adjust.com", "adjust.io"],
    [
      "created_at", "started_at", "installed_at", "session_length", "time_spent", "skadn_registered_at",
      "last_skan_update", "sent_at", "queue_size", "enqueue_size", "retry_count", "first_error", "last_error",
      "wait_total", "wait_time",
    ].flatMap { ["form.\($0)", "query.\($0)"] })
  // Test users get a random disable_cache: vendors.md 2.3, 7. Times of installing: vendors.md 2.3, 3. The members of an
  // event: AdaptySDK-iOS 3.17, Sources/Events/Entities, Event.Packed.swift and AdaptySystemEventParameters.swift.
  + fields(
    of: ["adapty.io"],
    ["query.disable_cache", "body.client_time", "body.install_time"]
      + ["event_id", "session_id", "created_at", "sdk_flow_id", "metrics"].map {
        "body.data.attributes.events[*].\($0)"
      })
  // Deltas of a session: vendors.md 3.2, 4. Sessions of newer builds: vendors.md 3.2, 6.
  + fields(
    of: ["onesignal.com"],
    ["deltas.session_time", "start_time", "end_time", "duration_seconds", "idempotency_key"].map { "body.\($0)" })

/// The requests in which a vendor's SDK sends what it has gathered: only OneSignal's update of a user's properties does.
///
/// Tags and other properties, and the deltas of a session, which add up: vendors.md 3.2, 4; gathered for 5 s: 3.4. Whether
/// the server shall look at the device again goes with the session's delta.
let vendorUpdates = [
  MergedUpdate(
    "PATCH", host: "**.onesignal.com", path: "/apps/*/users/by/*/*", remarks: ["body.refresh_device_metadata"],
    sums: ["body.deltas.session_count"])
]

private func fields(of domains: [String], _ places: [String]) -> [IgnoredField] {
  domains.flatMap { domain in
    places.map { place in
      do throws(MatchingError) {
        return try IgnoredField("**.\(domain) \(place)")
      } catch {
        preconditionFailure("a built-in field is misspelt: \(error)")
      }
    }
  }
}
