/// A click on a message that a MotiSig stand-in has taken.
public struct MotiSigClick: Hashable, Sendable {
  public let project: String
  public let userID: String
  public let messageID: String
  /// How often it was sent.
  public internal(set) var deliveries = 1

  init(project: String, userID: String, messageID: String) {
    self.project = project
    self.userID = userID
    self.messageID = messageID
  }

  func isSame(as other: MotiSigClick) -> Bool {
    (project, userID, messageID) == (other.project, other.userID, other.messageID)
  }
}
