import LaunchJSON

/// The tokens of writes that the server may still be spreading: who reads with the newest one reads what was written
/// (vendors.md 3.4).
struct ReadYourWrite: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case creation, update, subscription
  }

  /// What an answer to a write said about reading it.
  struct Write: Hashable, Sendable {
    var token: String?
    /// How long to wait before reading. Without a word about it not at all: the SDK's own default of half a second is
    /// an integer constant and becomes 0 (vendors.md 3.4).
    var delay: Duration = .zero
  }

  private struct Entry: Hashable, Sendable {
    let user: String
    let kind: Kind
    let write: Write
  }

  /// In the order in which they were answered.
  private var entries: [Entry] = []
  /// A change of the subscription is on its way: its token counts as well.
  var isSubscriptionPending = false

  /// Notes the answer to a write about the user with `onesignal_id` `user`; a write without a token has ended too.
  mutating func note(_ kind: Kind, of user: String, answer: JSON?) {
    let delay = Duration.milliseconds(max(0, answer?["ryw_delay"]?.integer ?? 0))
    entries.removeAll { $0.user == user && $0.kind == kind }
    entries.append(Entry(user: user, kind: kind, write: Write(token: answer?["ryw_token"]?.string, delay: delay)))
  }

  /// A new write about `user` is due: what was written before it is old.
  mutating func expectWrite(of user: String) { entries.removeAll { $0.user == user } }

  /// Whether the latest write about `user` has been answered, and a pending one about the subscription.
  func isReady(for user: String) -> Bool {
    let kinds = Set(entries.filter { $0.user == user }.map(\.kind))
    return kinds.contains(.creation)
      || kinds.contains(.update) && (!isSubscriptionPending || kinds.contains(.subscription))
  }

  /// The newest write that has a token; else the newest.
  func newest(for user: String) -> Write {
    let writes = entries.filter { $0.user == user }.map(\.write)
    return writes.last { $0.token != nil } ?? writes.last ?? Write()
  }
}
