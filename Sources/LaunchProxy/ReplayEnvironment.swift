/// The environment variables that lead a program to a replay.
struct ReplayEnvironment {
  /// One recorded origin and where it is served.
  struct Base {
    /// The origin's name, `api.onesignal.com`.
    var name: String
    /// `http://127.0.0.1:9001`
    var url: String
  }

  var proxy: String
  var control: String
  var bases: [Base]

  /// `inherited` with the replay's own variables.
  ///
  /// All proxy variables name the replay, so that a request for TLS is refused there and does not reach the network; the
  /// lists of exceptions are removed. The variable of a host that would take the name of another one is left out.
  func variables(over inherited: [String: String]) -> [String: String] {
    var variables = inherited
    for name in ["http_proxy", "https_proxy", "all_proxy"] {
      variables[name] = proxy
      variables[name.uppercased()] = proxy
    }
    for name in ["no_proxy", "NO_PROXY"] { variables[name] = nil }
    var own = ["LAUNCHTAPE_URL": proxy, "LAUNCHTAPE_CONTROL": control]
    for base in bases {
      let name = Self.variable(for: base.name)
      if own[name] == nil { own[name] = base.url }
      // Where the SDK's own variable is read its path is part of it: vendors.md 4.1 and 4.5.
      if base.name == "api.motisig.ai" { own["MOTISIG_BASE_URL"] = base.url + "/client" }
    }
    return variables.merging(own) { $1 }
  }

  /// `LAUNCHTAPE_API_ONESIGNAL_COM` for `api.onesignal.com`: everything but letters and digits becomes `_`.
  static func variable(for name: String) -> String {
    "LAUNCHTAPE_" + String(name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }
}
