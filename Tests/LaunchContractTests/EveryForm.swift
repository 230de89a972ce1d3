import Foundation

@testable import LaunchContract

/// A contract that uses every form of the language, for tests that damage it or lay it out.
enum EveryForm {
  static let text = """
    contract "App launch" version 1

    tolerance 50 ms   # late timers
    mark user.waited = "one signal user id fetched" or "one signal \\"user\\" id timeout (empty)"
    mark att.answered, iam.unpaused
    mark tags.added = "tags added" where mark.mmp_id exists and mark.items[0]."x y" != 3 key mark.user
    call adjust = ANY https://{analytics,consent}.adjust.{com,io}/**
    call tags.sent = PATCH https://api.onesignal.com/apps/*/users/* where body.items[0]."x y" exists and header."X-User" matches "a*" ok 2xx, 409
    call session = POST https://app.adjust.com:8443/session attempts by form.created_at key form.user order form.seq
    call page = GET https://cdn.test/pages/*/ where query.lang in {en, "de ch"} and method = GET key query.user
    call old = GET https://cdn.test/old where query.version < 4 and query.beta not exists

    # order
    [R10] adjust only after att.answered   # because it must
    session starts only after tags.sent (any outcome) starts
    session (answered 4xx, 503) ends only after page ends
    each page after its own session
    every session (sent) is followed by iam.unpaused after att.answered
    session then iam.unpaused
    session and page take turns per key
    page right after session among {page, session, adjust}

    # time
    [R18] advice: optional: user.waited within 12 s of session ending ± 0.5 s
    session at least 2 s after page between launch.begin and iam.unpaused
    page within 5 s of session or else user.waited ± 20 ms
    at most 3 calls in any 1 min
    launch settles within 40 s quiet for 2 s
    retries of session back off from 1 s, factor 2, cap 10 s, jitter 20 %, at most 4 tries
    retries of page back off from 250 ms, full jitter

    # numbers
    exactly 1 session before iam.unpaused
    no calls before att.answered except adjust, session
    at most 2 tags.sent after session until page
    at least 1 user.waited
    at most 3 attempts of session while page is open
    session one at a time
    at most 2 page open per query.user
    tags.sent never overlaps page
    page in order of query.page
    session one at a time in order of order and gapless per key

    # fields
    session uses form.adid from page
    body.properties.tags.mmp_id of tags.sent equals response.body.adid of session
    header."X-Id" differs in attempts of session
    key is the same in page
    session has form.idfa exists
    tags.added has mark.count >= 3
    tags.added has mark.mmp_id not exists
    page is answered 2xx, 304
    page is answered 2xx in the end

    # choices
    if session (ok) happens then page happens
    if old happens then no page
    user.waited or iam.unpaused happens
    exactly one of old, page, adjust happens
    adjust is the first call
    nothing after old (ok)
    only these calls: adjust, tags.sent, session, page, old

    when tags.added count = 3:
      # in the block
      no old   # because it is old
      page only after session
    when tags.added.items[1] exists:
      no adjust after page

    """

  /// The shipped contracts by name, each in one text: of what it includes, the declarations that its rules need.
  static let shipped: [(name: String, text: String)] = {
    let folder = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../contracts").standardized.path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().filter { $0.hasSuffix(".contract") }.map { name in
      let text = (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
        line.hasPrefix("include ") ? declarations(of: line, in: folder, for: text) : [line]
      }
      let whole = ContractFormatter.format(Array(lines.joined(separator: "\n").utf8)) ?? []
      return (name, String(decoding: whole, as: UTF8.self))
    }
  }()

  private static func declarations(of include: Substring, in folder: String, for text: String) -> [Substring] {
    let path = include.split(separator: "\"").last ?? ""
    let included = (try? String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)) ?? ""
    let words = Set(text.split { " ,{}:".contains($0) || $0.isNewline })
    return included.split(separator: "\n").filter { line in
      let parts = line.split(separator: " ")
      return parts.count > 1 && parts[0] == "mark" && words.contains(parts[1])
    }
  }

  static var all: [(name: String, text: String)] { [("every form", text)] + shipped }
}
