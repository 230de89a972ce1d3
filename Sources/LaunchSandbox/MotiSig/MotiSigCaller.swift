import LaunchHTTP

/// Which project a request to MotiSig speaks for, and whom its path is about.
struct MotiSigCaller {
  let key: String
  let project: String
  /// Empty for paths without a user.
  let userID: String

  /// - Throws: 401 without a key, or when neither the path nor a header names the project (vendors.md 4.1).
  init(_ request: RoutedRequest) throws(Refusal) {
    key = request.header("X-API-Key") ?? ""
    guard !key.isEmpty else {
      throw Refusal(401, "unauthorized", "X-API-Key is missing")
    }
    let isLong = request.request.location.path.hasPrefix("/client/organizations/")
    let project = isLong ? request[1] : request.header("X-Project-ID") ?? ""
    guard !project.isEmpty else { throw Refusal(401, "unauthorized", "X-Project-ID is missing") }
    self.project = project
    // Clients encode a segment twice (vendors.md 4.1); the route has undone it once.
    userID = request[isLong ? 2 : 0].percentDecoded
  }
}
