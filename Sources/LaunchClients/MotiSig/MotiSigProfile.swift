public import LaunchJSON

/// What an app tells MotiSig about its user beside the id; what is nil or empty is not sent.
///
/// ```swift
/// try motiSig.setUser("u1", MotiSigProfile(firstName: "Ada", tags: ["beta"]))
/// ```
public struct MotiSigProfile: Hashable, Sendable {
  public var firstName: String?
  public var lastName: String?
  public var email: String?
  /// Sent with a new user only.
  public var tags: [String]
  /// The same.
  public var customAttributes: JSONObject

  public init(
    firstName: String? = nil, lastName: String? = nil, email: String? = nil, tags: [String] = [],
    customAttributes: JSONObject = [:]
  ) {
    self.firstName = firstName
    self.lastName = lastName
    self.email = email
    self.tags = tags
    self.customAttributes = customAttributes
  }

  /// The members that an update has as well.
  var names: [JSONObject.Member] {
    [("firstName", firstName), ("lastName", lastName), ("email", email)].compactMap { name, value in
      value.map { JSONObject.Member(name, .string($0)) }
    }
  }
}
