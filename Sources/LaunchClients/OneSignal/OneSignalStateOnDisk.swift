import LaunchJSON

extension OneSignalState {
  /// How it is kept on disk. Fetching is not: the next session fetches anyway.
  var json: JSON {
    var json: JSONObject = [
      "user_count": .integer(userCount), "update_count": .integer(updateCount), "users": .array(users.map(\.json)),
      "requests": .array(requests.compactMap(\.json)), "updates": .array(updates.map(\.json)),
    ]
    if !changes.isEmpty { json["changes"] = changes.json }
    json["subscription"] = subscription.json
    if isSubscriptionOutdated { json["subscription_outdated"] = true }
    json["subscription_owner"] = subscriptionOwner.map(JSON.integer)
    return .object(json)
  }

  /// What `json` says; a device without a history when it says nothing.
  init(_ json: JSON?, device: Device) {
    let kept = json?["subscription"]
    var subscription = PushSubscription(id: kept?["id"]?.string, of: device)
    subscription.osVersion = kept?["device_os"]?.string ?? subscription.osVersion
    subscription.sdk = kept?["sdk"]?.string ?? subscription.sdk
    subscription.appVersion = kept?["app_version"]?.string ?? subscription.appVersion
    subscription.model = kept?["device_model"]?.string ?? subscription.model
    self.init(
      subscription: subscription, users: (json?["users"]?.array ?? []).compactMap(User.init),
      requests: (json?["requests"]?.array ?? []).compactMap(Request.init),
      updates: (json?["updates"]?.array ?? []).compactMap(Update.init),
      userCount: json?["user_count"]?.integer ?? 0, updateCount: json?["update_count"]?.integer ?? 0)
    changes = UserChanges(json?["changes"])
    isSubscriptionOutdated = json?["subscription_outdated"]?.bool ?? false
    subscriptionOwner = json?["subscription_owner"]?.integer
  }
}

extension OneSignalState.User {
  fileprivate var json: JSON {
    var json: JSONObject = ["number": .integer(number)]
    json["onesignal_id"] = id.map(JSON.string)
    json["external_id"] = externalID.map(JSON.string)
    return .object(json)
  }

  fileprivate init?(_ json: JSON) {
    guard let number = json["number"]?.integer else { return nil }
    self.init(number: number, id: json["onesignal_id"]?.string, externalID: json["external_id"]?.string)
  }
}

extension OneSignalState.Request {
  fileprivate var json: JSON? {
    switch self {
    case .create(let user): ["create": .integer(user)]
    case .identify(let former, let user): ["identify": .integer(former), "as": .integer(user)]
    case .fetch: nil
    }
  }

  fileprivate init?(_ json: JSON) {
    if let user = json["create"]?.integer {
      self = .create(user)
    } else if let former = json["identify"]?.integer, let user = json["as"]?.integer {
      self = .identify(former, as: user)
    } else {
      return nil
    }
  }
}

extension OneSignalState.Update {
  fileprivate var json: JSON {
    ["number": .integer(number), "user": .integer(user), "body": changes.json]
  }

  fileprivate init?(_ json: JSON) {
    guard let number = json["number"]?.integer, let user = json["user"]?.integer else { return nil }
    self.init(number: number, user: user, changes: UserChanges(json["body"]))
  }
}
