import LaunchClients
import LaunchJSON
import Testing

@Suite struct InAppMessageTests {
  private static func condition(_ property: String, _ comparison: String, _ value: JSON? = nil) -> JSON {
    var condition: JSONObject = ["property": .string(property), "operator": .string(comparison)]
    condition["value"] = value
    return .object(condition)
  }

  private static let ready = condition("app_ready", "equal", "true")

  static let cases: [(triggers: JSON, values: [String: String], qualifies: Bool)] = [
    ([], [:], true),
    ([[ready]], ["app_ready": "true"], true),
    ([[ready]], ["app_ready": "false"], false),
    ([[ready]], [:], false),
    ([[condition("n", "equal", 3)]], ["n": "3"], true),
    ([[condition("b", "equal", true)]], ["b": "true"], true),
    ([[condition("x", "not_equal", "1")]], ["x": "2"], true),
    ([[condition("x", "exists")]], ["x": ""], true),
    ([[condition("x", "exists")]], [:], false),
    ([[condition("x", "not_exists")]], [:], true),
    ([[ready, condition("x", "exists")]], ["app_ready": "true"], false),
    ([[condition("x", "exists")], [ready]], ["app_ready": "true"], true),
    ([[condition("x", "resembles", "1")]], ["x": "1"], false),
    ([["nonsense"]], ["x": "1"], false),
  ]

  @Test(arguments: cases)
  func `alternatives of conditions that hold together`(triggers: JSON, values: [String: String], qualifies: Bool) {
    let json: JSON = ["id": "m1", "variants": ["all": ["default": "v1"]], "triggers": triggers]
    #expect(InAppMessage(json, language: "en")?.qualifies(with: values) == qualifies)
  }

  static let variants: [(JSON, String?)] = [
    (["all": ["default": "v1"]], "v1"),
    (["all": ["default": "v1", "en": "v2"]], "v2"),
    (["all": ["default": "v1"], "ios": ["default": "v3"]], "v3"),
    (["all": ["default": "v1"], "ios": ["fr": "v3"]], "v1"),
    (["android": ["default": "v1"]], nil),
    (["all": ["default": 7]], nil),
    ([], nil),
  ]

  @Test(arguments: variants) func `the variant fits platform and language`(variants: JSON, variant: String?) {
    #expect(InAppMessage(["id": "m1", "variants": variants], language: "en")?.variant == variant)
  }

  @Test(arguments: [JSON.null, [:], "m1", ["id": 1, "variants": ["all": ["default": "v1"]]]])
  func `what is no message is left out`(json: JSON) { #expect(InAppMessage(json, language: "en") == nil) }
}
