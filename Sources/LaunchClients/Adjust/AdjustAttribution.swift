import LaunchJSON

/// Where an installation came from (vendors.md 1.3 B); what the answer leaves out is nil.
///
/// ```swift
/// adjust.onAttributionChange = { print($0.network ?? "organic", $0.campaign ?? "") }
/// ```
public struct AdjustAttribution: Hashable, Sendable {
  public var trackerToken: String?
  public var trackerName: String?
  public var network: String?
  public var campaign: String?
  public var adgroup: String?
  public var creative: String?
  public var clickLabel: String?
  public var costType: String?
  /// As the answer writes it.
  public var costAmount: String?
  public var costCurrency: String?

  init?(_ json: JSON?) {
    guard let json, json.object != nil else { return nil }
    trackerToken = json["tracker_token"]?.string
    trackerName = json["tracker_name"]?.string
    network = json["network"]?.string
    campaign = json["campaign"]?.string
    adgroup = json["adgroup"]?.string
    creative = json["creative"]?.string
    clickLabel = json["click_label"]?.string
    costType = json["cost_type"]?.string
    costAmount =
      switch json["cost_amount"] {
      case .integer(let amount)?: "\(amount)"
      case .number(let amount)?, .string(let amount)?: amount
      default: nil
      }
    costCurrency = json["cost_currency"]?.string
  }
}
