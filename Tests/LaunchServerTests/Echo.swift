import LaunchHTTP

/// Answers with what the request was.
let echo: @Sendable (Request) -> Answer = { request in
  let text = "\(request.method) \(request.location) \(request.fields["X"] ?? "-") \(request.body.count)"
  return Answer(head: ResponseHead(status: 200, fields: ["X-Echo": "1"]), body: Array(text.utf8))
}
