/// Why Apple has no attribution token, with the numbers of its `AAAttributionError`.
package struct AdServicesError: Error, Hashable, Sendable {
  /// 1 without a network, 2 inside Apple's framework, 3 where the platform has no such thing.
  package var code: Int

  package static let platformNotSupported = AdServicesError(code: 3)

  package init(code: Int) { self.code = code }
}
