import LaunchClients
import LaunchCurl
import LaunchDiagnostics
import LaunchFile
import LaunchHTTP
import LaunchReport
import LaunchTrace

/// The real vendors that a launch is recorded at: `--env` and `--production`.
enum AccessOption {
  static let all = [
    Usage.Option("env", "FILE", "credentials, NAME=value a line: the vendors in FILE are the real ones, over HTTPS"),
    .init("production", nil, "let FILE say ADJUST_ENVIRONMENT=production: the launch then counts as a real install"),
  ]

  /// - Throws: `Failure` for a file with mistakes, after all of them were printed, and for authorities that cannot be read.
  static func access(_ arguments: Arguments, verb: String) throws -> VendorAccess? {
    guard let path = arguments.value("env") else {
      guard !arguments.has("production") else { throw Failure.usage("--production goes with --env", verb: verb) }
      return nil
    }
    var access = try read(path, allowsProduction: arguments.has("production"))
    if let file = access.authorityFile {
      let folder = parentFolder(of: path)
      let file = folder == "." ? file : joinPath(folder, file)
      try check(authorities: file)
      access.authorityFile = file
    }
    return access
  }

  private static func read(_ path: String, allowsProduction: Bool) throws -> VendorAccess {
    let text = String(decoding: try readFile(path, limit: 1 << 20), as: UTF8.self)
    do throws(DiagnosticsError) {
      return try VendorAccess(parsing: text, file: path, allowsProduction: allowsProduction)
    } catch {
      Console.complain("\(error)")
      throw Failure(message: "the credentials cannot be used; nothing was recorded")
    }
  }

  private static func check(authorities path: String) throws {
    let text = String(decoding: try readFile(path, limit: 16 << 20), as: UTF8.self)
    guard text.contains("-----BEGIN CERTIFICATE-----") else {
      throw Failure(
        message: "\(path) holds no certificate", next: "LAUNCHTAPE_CA_FILE names a file with certificates in PEM")
    }
  }

  /// The ways to the vendors in `access`, from routes that were given and name any host: each of its hosts is its own
  /// address where nothing else is said.
  /// - Throws: `Failure` for a route that would send credentials over a network unencrypted.
  static func complete(_ routes: inout RouteTable, for access: VendorAccess, verb: String) throws(Failure) {
    for location in access.locations {
      guard let route = routes[location.host] else {
        let isSecure = location.scheme == "https"
        routes[location.host] = Route(
          host: location.host, port: location.port ?? (isSecure ? 443 : 80),
          security: isSecure ? .tls(caFile: access.authorityFile) : .plain)
        continue
      }
      guard route.security != .plain || Location(scheme: "http", host: route.host).isLoopback else {
        throw Failure.usage(
          "--route \(location.host)=\(route) would send credentials unencrypted; write tls://\(route)", verb: verb)
      }
    }
  }

  /// Says which calls to the vendors in `access`, and to hosts that only they can have named, came to nothing: an app goes
  /// on without them, so a recording does as well.
  static func complain(about trace: Trace, _ access: VendorAccess, _ routes: RouteTable) {
    var failures: [(text: String, count: Int)] = []
    let hosts = access.hosts
    for exchange in trace.exchanges {
      let host = exchange.request.location.host
      guard hosts.contains(host) || routes[host] == nil, let outcome = exchange.failure else { continue }
      let text = "\(host): \(outcome)"
      if let index = failures.firstIndex(where: { $0.text == text }) {
        failures[index].count += 1
      } else {
        failures.append((text, 1))
      }
    }
    for failure in failures {
      Console.complain("warning: \(failure.text)\(failure.count > 1 ? ", \(failure.count) times" : "")")
    }
  }
}

extension Exchange {
  /// What went wrong; nil for an answer that is no refusal.
  fileprivate var failure: String? {
    // What the app itself gave up is no failure of the host's.
    if let error { return error.reason == .cancelled ? nil : "\(error)" }
    guard let status = response?.head.status, status >= 400 else { return nil }
    return "\(request.method) was answered with \(status)"
      + (status == 401 || status == 403 ? "; are the credentials right?" : "")
  }
}

extension VendorAccess {
  /// Those that get credentials.
  var hosts: Set<String> { Set(locations.map(\.host)) }
}
