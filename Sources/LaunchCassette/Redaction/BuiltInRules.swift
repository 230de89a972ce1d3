import LaunchDiagnostics

extension RedactionRules {
  /// What the four vendors' traffic holds that nobody outside should see, and credentials wherever they stand.
  ///
  /// E-mail addresses, JSON Web Tokens and AWS access keys are found in any text besides, see `SecretShapes`.
  public static let builtIn: RedactionRules = {
    do throws(DiagnosticsError) {
      var rules = try RedactionRules(parsing: text, file: "built-in rules")
      for index in rules.rules.indices { rules.rules[index].source = nil }
      rules.rules += credentials
      return rules
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  private static let text = [adjust, adapty, addressLookUp, oneSignal, motiSig].map(\.text).joined() + anyHost

  private struct Vendor {
    var hosts: String
    var rules: String

    var text: String { rules.split(separator: "\n").map { "\($0) on \(hosts)\n" }.joined() }
  }

  /// Vendors.md 1.9. The campaign's names are parts of `tracker_name`.
  private static let adjust = Vendor(
    hosts: "**.adjust.com, **.adjust.io",
    rules: """
      redact header Authorization as adjust_signature
      redact field app_token
      redact field idfa
      redact field idfv
      redact field adid
      redact field attribution_token
      redact field primary_dedupe_token as dedupe_token
      redact field secondary_dedupe_token as dedupe_token
      redact field push_token
      redact field external_device_id
      redact field fb_anon_id
      redact field device_name
      redact field callback_params
      redact field partner_params
      redact field control_params
      redact field deeplink
      redact field resolved_click_url as deeplink
      redact field tracker_token
      redact field tracker_name
      redact json attribution.campaign as campaign
      redact json attribution.adgroup as adgroup
      redact json attribution.creative as creative
      redact json attribution.click_label as click_label
      """)

  /// Vendors.md 2.8.
  private static let adapty = Vendor(
    hosts: "**.adapty.io",
    rules: """
      redact path /**/sdk/company/{adapty_key}/app/**
      redact path /**/sdk/in-apps/{adapty_key}/products/**
      redact path /**/sdk/in-apps/{adapty_key}/paywall/**
      redact path /**/sdk/analytics/profiles/{profile_id}/**
      redact header Authorization as adapty_key
      redact header adapty-sdk-profile-id as profile_id
      redact header adapty-sdk-device-id as device_id
      redact header adapty-sdk-session as adapty_session
      redact json data.id as profile_id
      redact field profile_id
      redact field device_id
      redact field session_id as adapty_session
      redact field customer_user_id
      redact field store_account_token
      redact field token as attribution_token
      redact field attribution_token
      redact field idfa
      redact field idfv
      redact field ip_v4_address as ip
      redact field user_agent
      redact field receipt
      redact field receipt_encoded as receipt
      redact field receipt_data as receipt
      redact field signed_transaction
      redact field signed_transaction_info as signed_transaction
      redact field install_id
      redact json data.payload as install_payload
      redact field custom_attributes
      """)

  /// Vendors.md 2.3, 3.
  private static let addressLookUp = Vendor(hosts: "api.ipify.org, api64.ipify.org", rules: "redact json ip as ip")

  /// Vendors.md 3.7.
  private static let oneSignal = Vendor(
    hosts: "**.onesignal.com",
    rules: """
      redact path /**/apps/{app_id}/**
      redact path /**/apps/*/subscriptions/{subscription_id}/**
      redact path /**/apps/*/users/by/onesignal_id/{onesignal_id}/**
      redact path /**/apps/*/users/by/*/{external_id}/**
      redact path /**/apps/*/sessions/{session_id}/**
      redact header OneSignal-Subscription-Id as subscription_id
      redact header OneSignal-Install-Id as install_id
      redact header OneSignal-RYW-Token as ryw_token
      redact header Authorization as jwt
      redact field app_id
      redact field onesignal_id
      redact field external_id
      redact json identity.* as external_id
      redact field player_id as subscription_id
      redact field subscription_id
      redact json subscriptions.*.id as subscription_id
      redact json subscription.id as subscription_id
      redact field session_id
      redact field token as push_token
      redact field ryw_token
      redact field tags as tag
      redact field lat as location
      redact field long as location
      digest json html
      """)

  /// Vendors.md 4.5.
  private static let motiSig = Vendor(
    hosts: "**.motisig.ai",
    rules: """
      redact header X-API-Key as motisig_key
      redact header X-Project-ID as project_id
      redact path /**/organizations/{org_id}/**
      redact path /**/projects/{project_id}/**
      redact path /**/users/{user_id}/**
      redact json id as user_id
      redact field userId as user_id
      redact field anonymousId as anonymous_id
      redact field email
      redact field firstName as first_name
      redact field lastName as last_name
      redact field token as push_token
      redact field messageId as message_id
      redact field customAttributes as attribute
      redact field attributes as attribute
      redact field eventData as event_data
      """)

  /// Credentials by names of their own, see `CredentialNames` for the usual ones; the names of the advertising identifiers and of the vendors' own ones, for
  /// recordings through an address that is not the vendor's, and for marks.
  private static let anyHost = """
    redact header Authorization
    redact header Proxy-Authorization as authorization
    redact header Cookie
    redact header Set-Cookie as cookie
    redact header X-Goog-Api-Key as api_key
    redact header Ocp-Apim-Subscription-Key as api_key
    redact header X-Session-Id as session_id
    redact header X-CSRF-Token as csrf_token
    redact header X-Amz-Security-Token as aws_token
    redact query X-Amz-Security-Token as aws_token
    redact query X-Amz-Signature as aws_signature
    redact field aws_secret_access_key as aws_secret
    redact field secret_access_key as aws_secret
    redact field SecretAccessKey as aws_secret
    redact field secretAccessKey as aws_secret
    redact field aws_session_token as aws_token
    redact field SessionToken as aws_token
    redact field idfa
    redact field idfv
    redact field adid
    redact field mmp_id as adid
    redact field app_token
    redact field attribution_token
    redact field primary_dedupe_token as dedupe_token
    redact field secondary_dedupe_token as dedupe_token
    redact field push_token
    redact field external_device_id
    redact field fb_anon_id
    redact field onesignal_id
    redact field customer_user_id
    redact field store_account_token
    """
}
