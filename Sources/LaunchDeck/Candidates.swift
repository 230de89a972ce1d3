import LaunchHTTP
import LaunchTrace

/// Finds the recorded requests that a miss may have meant. Computed when there is a miss for the first time.
struct Candidates: Sendable {
  /// Requests that may differ in some segments of the path and in nothing else of the location.
  private struct Shape: Hashable, Sendable {
    var method: String
    var origin: String
    var segmentCount: Int
  }

  /// The exchanges of one shape with fingerprints of their segments, so many for each.
  private struct Similar: Sendable {
    var exchanges: [Int] = []
    var segments: [Fingerprint] = []
  }

  private var byPath: [String: [Int]] = [:]
  private var byShape: [Shape: Similar] = [:]

  /// A cassette may hold thousands of calls of one kind; comparing this many finds a near one soon enough.
  private static let comparisonLimit = 256

  init(_ catalog: Catalog) {
    for index in catalog.exchanges.indices {
      let request = catalog.exchanges.request(of: index)
      let location = catalog.rules.location(of: request)
      let segments = segments(of: location)
      byPath[location.path, default: []].append(index)
      let shape = Shape(
        method: request.method, origin: location.origin, segmentCount: segments.count)
      byShape[shape, default: Similar()].exchanges.append(index)
      byShape[shape]?.segments += segments
    }
  }

  /// The nearest one by method and location, then by the number of differences, then by how much it has something else for,
  /// then one that is unused, then the first; nil when none has enough in common to be what was meant.
  /// - Parameter places: What is compared of the body; all of it unless it is given.
  func nearest(
    to request: Request, comparing places: Set<String>? = nil, in catalog: Catalog, unused: Set<Int>,
    _ bindings: Bindings
  ) -> (index: Int, differences: [Difference])? {
    let fields = catalog.rules.fields(of: request, isListing: true).keeping(places)
    let found = nearest(to: catalog.rules.location(of: request), method: request.method, in: catalog)
    // Those unused come first, but the limit leaves room for used ones: the nearest tells the most.
    let order = found.filter(unused.contains) + found.filter { !unused.contains($0) }
    return order.prefix(Self.comparisonLimit).lazy
      .map { index in
        let recorded = catalog.rules.fields(of: catalog.exchanges.request(of: index), isListing: true)
          .keeping(places)
        return (index, fields.differences(from: recorded, bindings, catalog.pseudonyms))
      }
      .min { rank($0.0, $0.1, unused) < rank($1.0, $1.1, unused) }
  }

  private func rank(_ index: Int, _ differences: [Difference], _ unused: Set<Int>) -> (Int, Int, Int, Int) {
    (differences.count, differences.count { $0.isAddition }, unused.contains(index) ? 0 : 1, index)
  }

  /// All at the least distance.
  private func nearest(to location: Location, method: String, in catalog: Catalog) -> [Int] {
    if let samePath = byPath[location.path] {
      let distances = samePath.map { index in
        let recorded = catalog.exchanges.request(of: index)
        let isOther = catalog.rules.location(of: recorded).origin != location.origin
        return (recorded.method == method ? 0 : 1) + (isOther ? 1 : 0)
      }
      let least = distances.min()
      return zip(samePath, distances).filter { $0.1 == least }.map(\.0)
    }
    let segments = segments(of: location)
    let shape = Shape(method: method, origin: location.origin, segmentCount: segments.count)
    guard let similar = byShape[shape] else { return [] }
    // Paths that differ in most places are two calls, not one call to two users.
    var least = segments.count / 2
    var found: [Int] = []
    for (place, exchange) in similar.exchanges.enumerated() {
      let start = place * segments.count
      let distance = segments.indices.count { segments[$0] != similar.segments[start + $0] }
      if distance > least { continue }
      if distance < least { found = [] }
      least = distance
      found.append(exchange)
    }
    return found
  }
}

extension RequestFields {
  /// Without those fields of the body that stand elsewhere than at `places`; all of them when that is nil.
  fileprivate func keeping(_ places: Set<String>?) -> RequestFields {
    guard let places else { return self }
    var result = self
    result.fields.removeAll { isInBody($0) && !places.contains(place(of: $0)) }
    return result
  }
}

private func segments(of location: Location) -> [Fingerprint] {
  location.path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    .map { Fingerprint(Array($0)) }
}
