import LaunchJSON

/// An in-app message that the OneSignal stand-in offers.
///
/// ```swift
/// let message = InAppMessage(
///   id: "m1", variantID: "v1", triggerKey: "app_ready", triggerValue: "true", html: "<p>Welcome</p>")
/// let sandbox = OneSignalSandbox(messages: [message])
/// ```
public struct InAppMessage: Hashable, Sendable {
  public var id: String
  /// The id of its only variant.
  public var variantID: String
  /// The trigger that shows it: this key set to this value.
  public var triggerKey: String
  public var triggerValue: String
  /// The page as the web view gets it.
  public var html: String
  /// How long the message stays, in seconds; nil until it is closed.
  public var displaySeconds: Int64?

  public init(
    id: String, variantID: String, triggerKey: String, triggerValue: String, html: String,
    displaySeconds: Int64? = nil
  ) {
    self.id = id
    self.variantID = variantID
    self.triggerKey = triggerKey
    self.triggerValue = triggerValue
    self.html = html
    self.displaySeconds = displaySeconds
  }

  /// The message of the published launch: shown when `app_ready` is `"true"` (launch-flow.md section 2, step 16).
  public static let appReady = InAppMessage(
    id: "6f1d2c3b-4a59-4687-b0c1-d2e3f4a5b6c7", variantID: "0a9b8c7d-6e5f-4a3b-9c2d-1e0f9a8b7c6d",
    triggerKey: "app_ready", triggerValue: "true", html: welcomePage)

  /// The message as the list carries it (vendors.md 3.2, step 3); the inside of `variants` and `triggers` is our choice.
  var listing: JSON {
    [
      "id": .string(id), "variants": ["all": ["default": .string(variantID)]],
      "triggers": [
        [
          [
            "id": .string(inventedUUID("trigger", id)), "kind": "custom", "property": .string(triggerKey),
            "operator": "equal", "value": .string(triggerValue),
          ]
        ]
      ],
      "redisplay": ["limit": 1, "delay": 0],
    ]
  }

  /// The answer to a request for the page (vendors.md 3.2, step 5).
  var page: JSON {
    var page: JSONObject = ["html": .string(html)]
    page["display_duration"] = displaySeconds.map(JSON.integer)
    page["styles"] = ["remove_height_margin": false, "remove_width_margin": false]
    return .object(page)
  }
}

private let welcomePage = """
  <!doctype html>
  <html lang="en">
  <head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Welcome</title>
  <style>
  body { margin: 0; display: grid; place-items: center; min-height: 100vh; background: #fff; color: #1c1c28; }
  .card { width: 82vw; max-width: 340px; padding: 28px 24px; border-radius: 18px; text-align: center; }
  .card { box-shadow: 0 10px 40px rgba(28, 28, 40, .18); font: 16px/1.45 -apple-system, system-ui, sans-serif; }
  .sun { width: 96px; height: 96px; margin: 0 auto 18px; }
  h1 { margin: 0 0 8px; font-size: 22px; }
  p { margin: 0 0 20px; color: #5b5b70; }
  button { display: block; width: 100%; padding: 14px; border: 0; border-radius: 12px; font: inherit; }
  .yes { background: #5a4fcf; color: #fff; font-weight: 600; }
  .no { background: none; color: #5b5b70; }
  </style>
  </head>
  <body>
  <main class="card" role="dialog" aria-labelledby="title">
  <svg class="sun" viewBox="0 0 96 96" aria-hidden="true">
  <circle cx="48" cy="48" r="20" fill="#ffb300"/>
  <g stroke="#ffb300" stroke-width="6" stroke-linecap="round">
  <path d="M48 8v10M48 78v10M8 48h10M78 48h10M20 20l7 7M69 69l7 7M20 76l7-7M69 27l7-7"/>
  </g>
  </svg>
  <h1 id="title">Good to have you here</h1>
  <p>Seven days of everything, free of charge. Cancel whenever you like, and keep what you made.</p>
  <button class="yes" data-onesignal-unique-label="start">Start the seven days</button>
  <button class="no" data-onesignal-unique-label="later">Not now</button>
  </main>
  <script>
  for (const button of document.querySelectorAll("button")) {
    button.addEventListener("click", () => {
      const message = { type: "action_taken", body: { id: button.dataset.onesignalUniqueLabel, close: true } };
      window.webkit?.messageHandlers?.iosListener?.postMessage(JSON.stringify(message));
    });
  }
  </script>
  </body>
  </html>
  """
