public import LaunchJSON

/// A place in the app with the paywalls that each audience sees there (vendors.md 2.3).
///
/// ```swift
/// var placement = AdaptyPlacement.onboarding
/// placement.attributed = placement.everyone  // Apple Ads changes nothing here
/// let sandbox = AdaptySandbox(placements: [placement])
/// ```
public struct AdaptyPlacement: Hashable, Sendable {
  /// The profiles that see the same variations.
  public struct Audience: Hashable, Sendable {
    /// `audience_name`; part of `ab_test_name`.
    public var name: String
    /// `placement_audience_version_id`: with the profile's id it decides the draw of the variation.
    public var versionID: String
    /// The `attributes` of each variation.
    public var variations: [JSONObject]

    public init(name: String, versionID: String, variations: [JSONObject]) {
      self.name = name
      self.versionID = versionID
      self.variations = variations
    }
  }

  /// `developer_id`, and the segment of the paths.
  public var id: String
  /// What profiles without attribution see, and the default-audience file.
  public var everyone: Audience
  /// What profiles see that Apple Ads explains.
  public var attributed: Audience

  public init(id: String, everyone: Audience, attributed: Audience) {
    self.id = id
    self.everyone = everyone
    self.attributed = attributed
  }

  /// The placement of the published launch: two variations for everyone, one for an attributed user.
  public static let onboarding = AdaptyPlacement(
    id: "onboarding",
    everyone: Audience(
      name: "All Users", versionID: "2f0c7c1a-95b1-4c8e-8f6d-0d6a3b1e7a01",
      variations: [
        variation("Classic", weight: 50, title: "Everything, seven days free", products: [monthly, yearly]),
        variation("Story", weight: 50, title: "See what others make of it", products: [yearly]),
      ]),
    attributed: Audience(
      name: "Apple Ads", versionID: "2f0c7c1a-95b1-4c8e-8f6d-0d6a3b1e7a02",
      variations: [
        variation(
          "Apple Ads", weight: 100, title: "What you searched for, seven days free", products: [yearly, monthly])
      ]))

  static let monthly = "com.example.launch.monthly"
  static let yearly = "com.example.launch.yearly"

  /// A product as the lists of products carry it; the fields are our choice.
  static func product(_ id: String) -> JSON {
    [
      "vendor_product_id": .string(id), "adapty_product_id": .string(inventedUUID("product", id)),
      "access_level_id": "premium", "product_type": "subscription",
    ]
  }

  /// The whole answer for one audience.
  func answer(for audience: Audience, createdAt: Int64) -> JSON {
    answer(for: audience, createdAt: createdAt, data: .array(audience.variations.map { ["attributes": .object($0)] }))
  }

  /// The answer with one variation, of whichever audience; nil when none has it.
  func answer(forVariation id: String, createdAt: Int64) -> JSON? {
    for audience in [everyone, attributed] {
      for variation in audience.variations where variation["variation_id"]?.string == id {
        return answer(for: audience, createdAt: createdAt, data: ["attributes": .object(variation)])
      }
    }
    return nil
  }

  private func answer(for audience: Audience, createdAt: Int64, data: JSON) -> JSON {
    [
      "meta": [
        "placement": [
          "developer_id": .string(id), "audience_name": .string(audience.name), "revision": 3,
          "ab_test_name": .string("\(id) \(audience.name)"),
          "placement_audience_version_id": .string(audience.versionID),
          "is_tracking_purchases": true,
        ],
        "response_created_at": .integer(createdAt),
      ],
      "data": data,
    ]
  }
}

/// The attributes of an invented variation.
private func variation(_ name: String, weight: Int64, title: String, products: [String]) -> JSONObject {
  let remote: JSON = [
    "title": .string(title), "button": "Continue", "theme": ["background": "#FFFFFF", "accent": "#5A4FCF"],
  ]
  return [
    "variation_id": .string(inventedUUID("variation", name)), "weight": .integer(weight),
    "paywall_id": .string(inventedUUID("paywall", name)), "paywall_name": .string(name),
    "remote_config": ["lang": "en", "data": .string(remote.text)],
    "paywall_builder": ["paywall_builder_id": .string(inventedUUID("builder", name)), "lang": "en"],
    "products": .array(products.map(AdaptyPlacement.product)), "web_purchase_url": nil, "cross_placement_info": nil,
  ]
}
