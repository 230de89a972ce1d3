import LaunchHTTP
import LaunchJSON

extension Transport {
  /// The response to `request`, which must have a 2xx status.
  func success(of request: Request) async throws(ClientError) -> Response {
    let response: Response
    do throws(TransportError) { response = try await self.response(to: request) } catch { throw .transport(error) }
    guard (200...299).contains(response.status) else { throw .status(response.status) }
    return response
  }
}

extension TransportError {
  /// Whether a replay has no answer for the request. Neither the network nor a server is to blame, and who asks again only
  /// misses again: no client does, whatever its SDK would do about a failure.
  var isMiss: Bool { reason == .unmatched }
}

extension Response {
  /// The body as JSON, nil when it is none.
  var json: JSON? { try? JSON(parsing: body) }
}

extension String {
  /// Without white space at both ends; nil when nothing is left.
  var trimmed: String? {
    guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace }) else {
      return nil
    }
    return String(self[first...last])
  }

  var nonEmpty: String? { isEmpty ? nil : self }
}
