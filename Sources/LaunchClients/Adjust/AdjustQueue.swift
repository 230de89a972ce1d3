package import LaunchHTTP
import LaunchTrace

/// Adjust's package queue: strictly serial, head first, without a limit of tries (vendors.md 1.5).
package struct AdjustQueue: Hashable, Sendable {
  /// Vendors.md 1.5, packages: 120 s … 24 h.
  package static let backoff = Backoff(first: .seconds(120), limit: .seconds(86_400), spread: 0.5...1)
  /// Vendors.md 1.5, the install's session until it is acknowledged, and clicks: 0.2 s … 1 h.
  package static let quickBackoff = Backoff(first: .milliseconds(200), limit: .seconds(3600), spread: 0.5...1)

  package private(set) var packages: [AdjustPackage]
  /// How often the head has failed in this process, and since when.
  private var retries = 0
  private var failingSince: ContinuousClock.Instant?
  /// All waits since the queue was last empty.
  private var waitTotal = Duration.zero

  /// - Parameter packages: What an earlier process has left.
  package init(_ packages: [AdjustPackage] = []) { self.packages = packages }

  package var head: AdjustPackage? { packages.first }

  /// Adds a package, which notes how many are before it. While the head waits, it waits as long as the head still has
  /// to.
  package mutating func add(_ package: AdjustPackage, at now: ContinuousClock.Instant) {
    var package = package
    if let failingSince { package.waited = max(.zero, waitTotal - (now - failingSince)) }
    package.form.add("enqueue_size", Int64(packages.count))
    packages.append(package)
  }

  /// What the head says about its way so far (vendors.md 1.3 A, "added when sending").
  package var sendingFields: FormPairs {
    guard let head else { return [:] }
    var fields: FormPairs = [:]
    if packages.count > 1 { fields.add("queue_size", Int64(packages.count - 1)) }
    fields.add("retry_count", head.errorCount)
    fields.add("first_error", head.firstError.map { "\($0)" })
    fields.add("last_error", head.lastError.map { "\($0)" })
    fields.add("wait_total", waitTotal.seconds)
    fields.add("wait_time", head.waited.seconds)
    return fields
  }

  /// The head was answered: it leaves.
  package mutating func succeed() {
    if !packages.isEmpty { packages.removeFirst() }
    (retries, failingSince) = (0, nil)
    if packages.isEmpty { waitTotal = .zero }
  }

  /// The head stays.
  /// - Parameters:
  ///   - head: The head with its errors.
  ///   - retryIn: The wait the server wants, if it does.
  ///   - isInstallTracked: Whether the install's session has been acknowledged.
  /// - Returns: How long to wait before the next try.
  package mutating func fail(
    _ head: AdjustPackage, retryIn: Duration?, isInstallTracked: Bool, at now: ContinuousClock.Instant,
    using generator: inout some RandomNumberGenerator
  ) -> Duration {
    if !packages.isEmpty { packages[0] = head }
    if retries < .max { retries += 1 }
    failingSince = failingSince ?? now
    let backoff = head.kind == .session && !isInstallTracked ? Self.quickBackoff : Self.backoff
    let wait = retryIn ?? backoff.wait(beforeRetry: retries, using: &generator)
    waitTotal += wait
    return wait
  }

  /// The wait is over.
  package mutating func headWaited(_ wait: Duration) {
    if !packages.isEmpty { packages[0].waited += wait }
  }

  package mutating func removeAll() { packages = [] }
}

extension Duration {
  /// With two digits behind the point; nil when it is not positive, which is then dropped.
  fileprivate var seconds: String? {
    guard self > .zero else { return nil }
    let hundredths = wholeMicroseconds.saturatedSum(5000) / 10_000
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}
