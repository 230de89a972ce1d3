import LaunchJSON

/// Where a user's messages are pushed to, and whether they may be.
package struct MotiSigSubscription: Hashable, Sendable {
  package var userID: String
  /// Apple's token in hexadecimal.
  package var token: String
  package var permission: PushPermission

  package init(userID: String, token: String, permission: PushPermission) {
    self.userID = userID
    self.token = token
    self.permission = permission
  }

  /// One call that leads the server to another subscription.
  package enum Change: Hashable, Sendable {
    case add(MotiSigSubscription)
    case update(MotiSigSubscription)
    case remove(MotiSigSubscription)
  }

  /// What leads from `known` to this one: nothing if the server knows it already; a token that has changed is removed
  /// before the new one is added (vendors.md 4.3).
  package func changes(from known: MotiSigSubscription?) -> [Change] {
    guard let known, known.userID == userID else { return [.add(self)] }
    if known.token != token { return [.remove(known), .add(self)] }
    return known.permission == permission ? [] : [.update(self)]
  }
}

extension MotiSigSubscription {
  init?(_ json: JSON?) {
    guard let userID = json?["user"]?.string, let token = json?["token"]?.string,
      let permission = (json?["permission"]?.string).flatMap(PushPermission.init)
    else { return nil }
    self.init(userID: userID, token: token, permission: permission)
  }

  var json: JSON {
    ["user": .string(userID), "token": .string(token), "permission": .string(permission.rawValue)]
  }
}
