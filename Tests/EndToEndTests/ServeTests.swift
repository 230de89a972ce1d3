import Foundation
import LaunchCassette
import LaunchHTTP
import LaunchTrace
import Testing

/// `launchtape replay` as a server: under a command of its own, and for clients that come from elsewhere.
@Suite struct ServeTests {
  private let folder: TemporaryFolder
  private let cassette = "Tests/cassettes/toy-launch.cassette"

  init() throws { folder = try TemporaryFolder() }

  @Test func `a command is answered through base URLs and the proxy, and its launch gets the verdict`() async throws {
    let result = try await serve(launch, "--contract", try contract(), "--strict")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.isEmpty)
    #expect(
      withoutTimes(result.output) == """
        201 u1
        200 {"in_app_messages":[]}
        200 {"marks":1}
        200
        200 {}
        served toy-launch: 4 calls, 1 marks, … s, closed
        lateness: …
        \(folder.path("toy.contract")) "Toy" on toy-launch: 23 events, closed
          HOLDS   [R1] session only after att.answered
          HOLDS   exactly 1 paywall
        2 rules: 2 hold

        """)
  }

  @Test func `a launch in the wrong order breaks the contract`() async throws {
    let early = launch.replacingOccurrences(of: "\nmark()", with: "") + "mark()\n"
    let result = try await serve(early, "--contract", try contract())
    #expect(result.status == 1)
    #expect(result.output.contains("BROKEN  [R1] session only after att.answered"))
    #expect(result.output.contains("rerun: launchtape replay \(cassette) --speed immediate --contract "))
    #expect(result.output.contains("toy.contract -- python3 -c 'import json"))
  }

  @Test func `what the client did is kept as a cassette that replays in turn`() async throws {
    let path = folder.path("kept.cassette")
    let result = try await serve(launch, "--output", path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.hasSuffix("kept as \(path)\n"))
    let kept = try Cassette(path: path)
    #expect(kept.warnings.isEmpty && kept.trace.isClosed)
    #expect(
      kept.trace.exchanges.map { "\($0.request.method) \($0.request.location)" } == [
        "POST https://example.com/users", "GET https://example.com/users/u1/messages",
        "POST https://consent.adjust.com/session", "GET https://example.com/paywall",
      ])
    let again = try await CommandLineTool.run(
      ["replay", path, "--speed", "immediate", "--strict", "--", "python3", "-c", launch], in: folder)
    #expect(again.status == 0, "\(again.errors)")

    let refused = try await serve(launch, "--output", path)
    #expect(refused.status == 2)
    #expect(
      refused.errors == "launchtape: \(path) exists and stays as it is\n  choose another path for --output\n")
  }

  @Test func `a request that was not recorded gets 502 with the reason, and fails the replay`() async throws {
    let result = try await serve(
      prelude + #"print(ask("http://example.com/paywal"))"# + "\n")
    #expect(result.status == 1)
    let reason = "GET https://example.com/paywal was never recorded"
    #expect(result.output.hasPrefix("502 \(reason)\nserved toy-launch: 1 calls"))
    #expect(result.output.contains("not asked for: call 4, GET https://example.com/paywall\n"))
    #expect(
      result.errors
        == "launchtape: the replay of \(cassette) failed\n1 request had no recorded answer:\n  \(reason)\n")
  }

  @Test(arguments: [
    ("import sys; sys.exit(3)", "python3 exited with 3"),
    ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "python3 was ended by signal 9"),
  ])
  func `a command that fails makes the replay fail`(script: String, message: String) async throws {
    let result = try await serve(script)
    #expect(result.status == 1)
    #expect(result.errors == "launchtape: \(message)\n")
  }

  @Test func `a recorded call without an end leaves the client waiting, and the report says so`() async throws {
    let lines = try String(contentsOfFile: "\(CommandLineTool.packageFolder)/\(cassette)", encoding: .utf8)
      .split(separator: "\n").filter { !$0.contains(#""call":4,"end""#) && !$0.contains(#""call":4,"chunk""#) }
    let path = try folder.write(lines.joined(separator: "\n") + "\n", to: "open.cassette")
    let script = """
      import http.client, os
      connection = http.client.HTTPConnection(os.environ["LAUNCHTAPE_EXAMPLE_COM"][7:])
      connection.request("GET", "/paywall")
      print(connection.getresponse().status)
      """
    let result = try await CommandLineTool.run(
      ["replay", path, "--speed", "immediate", "--", "python3", "-c", script], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.hasPrefix("200\n"))
    let line = "left waiting, no end was recorded: call 4, GET https://example.com/paywall\n"
    #expect(result.output.contains(line))
  }

  @Test func `a client gets gzip when it takes it, and the trace keeps the content readable`() async throws {
    let lines = [
      #"{"cassette":1,"name":"zipped"}"#, #"{"at":0,"launch":1}"#,
      #"{"at":0,"call":1,"request":{"method":"GET","url":"https://example.com/","headers":[["Accept-Encoding","gzip"]]}}"#,
      #"{"at":0,"call":1,"response":{"status":200,"headers":[["Content-Encoding","gzip"],["Content-Length","40"]]}}"#,
      #"{"at":0,"call":1,"chunk":{"bytes":4}}"#, #"{"at":0,"call":1,"chunk":{"bytes":6}}"#,
      #"{"at":0,"call":1,"end":{"body":{"text":"four more."},"encoding":"gzip","wireBytes":40}}"#,
    ]
    let path = try folder.write((lines + lines[2...].map(second)).joined(separator: "\n") + "\n", to: "zip.cassette")
    let script = """
      import gzip, os, urllib.request
      for accepted in "gzip", "identity":
          request = urllib.request.Request(os.environ["LAUNCHTAPE_EXAMPLE_COM"], headers={"Accept-Encoding": accepted})
          answer = urllib.request.urlopen(request)
          content, encoding = answer.read(), answer.headers["Content-Encoding"]
          print(encoding, gzip.decompress(content) if encoding else content)
      """
    let kept = folder.path("kept.cassette")
    let result = try await CommandLineTool.run(
      ["replay", path, "--strict", "--output", kept, "--", "python3", "-c", script], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.hasPrefix("gzip b'four more.'\nNone b'four more.'\nserved zipped: 2 calls"))
    #expect(try folder.text("kept.cassette").components(separatedBy: #""body":{"text":"four more."}"#).count == 3)
  }

  /// The line of the first call as one of a second.
  private func second(_ line: String) -> String { line.replacingOccurrences(of: #""call":1"#, with: #""call":2"#) }

  @Test func `64 clients at once get each recorded exchange exactly once`() async throws {
    let calls = (1...640).flatMap { call in
      [
        #"{"at":0,"call":\#(call),"request":{"method":"GET","url":"https://example.com/next","headers":[]}}"#,
        #"{"at":0,"call":\#(call),"response":{"status":200,"headers":[],"http":"1.1"}}"#,
        #"{"at":0,"call":\#(call),"end":{"body":{"text":"\#(call)"}}}"#,
      ]
    }
    let lines =
      [#"{"cassette":1,"name":"many"}"#, #"{"at":0,"launch":1}"#] + calls + [#"{"at":0,"closed":true,"events":1921}"#]
    let path = try folder.write(lines.joined(separator: "\n") + "\n", to: "many.cassette")
    let script = """
      import http.client, os, threading
      base, answers = os.environ["LAUNCHTAPE_EXAMPLE_COM"][7:], []
      gate = threading.Barrier(64)
      def client():
          connection = http.client.HTTPConnection(base)
          gate.wait()
          for _ in range(10):
              connection.request("GET", "/next")
              answers.append(int(connection.getresponse().read()))
      threads = [threading.Thread(target=client) for _ in range(64)]
      for thread in threads: thread.start()
      for thread in threads: thread.join()
      print(sorted(answers) == list(range(1, 641)))
      """
    let result = try await CommandLineTool.run(["replay", path, "--strict", "--", "python3", "-c", script], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(withoutTimes(result.output) == "True\nserved many: 640 calls, 0 marks, … s, closed\nlateness: …\n")
  }

  @Test func `a client that wants TLS is refused, and does not reach the network`() async throws {
    let result = try await CommandLineTool.run(
      ["replay", cassette, "--", "curl", "-s", "-w", "%{http_connect}\n", "https://example.com/paywall"], in: folder)
    #expect(result.status == 1)
    #expect(result.output.hasPrefix("501\n"))
    #expect(result.errors == "launchtape: curl exited with 56\n")
  }

  @Test func `without a command it prints its addresses and serves until it is told to finish`() async throws {
    let result = try await Python.run(
      driver + """
        print(list(addresses))
        def curl(*words):
            print(subprocess.run(["curl", "-s", *words], capture_output=True, text=True).stdout.strip())
        curl("-x", addresses["proxy"], "http://example.com/users/u1/messages")
        curl("http://" + addresses["example.com"] + "/paywall")
        curl("-H", "Host: consent.adjust.com", "-d", "att_status=3", "-w", "%{http_code}", addresses["proxy"] + "/session")
        curl("-d", '{"mark":3}', addresses["control"] + "/marks")
        curl("-X", "POST", addresses["control"] + "/finish")
        lines = process.stdout.read().splitlines()
        print(process.wait(), [line.split(",")[0] for line in lines if not line.startswith("lateness: ")])

        """, cassette)
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output == """
        ['proxy', 'control', 'example.com', 'consent.adjust.com']
        {"in_app_messages":[]}
        {}
        200
        {"error":"the mark has no \\"mark\\" with its name"}
        {"trace":"toy-launch","closed":true,"events":17,"misses":0,"exitCode":0,"contracts":[]}
        0 ['served toy-launch: 3 calls', 'not asked for: call 1']

        """)
  }

  @Test func `the trace so far comes in pieces, and is a cassette`() async throws {
    let copy = folder.path("so-far.cassette")
    let result = try await Python.run(
      driver + """
        import http.client, json
        control = http.client.HTTPConnection(addresses["control"].removeprefix("http://"))
        def ask(method, path, body=None):
            control.request(method, path, body)
            answer = control.getresponse()
            return answer, answer.read()
        marks = [{"mark": "step", "fields": {"number": number, "text": "é" * 50}} for number in range(3000)]
        for first in range(0, 3000, 500):
            print(ask("POST", "/marks", json.dumps(marks[first:first + 500]))[0].status)
        answer, trace = ask("GET", "/trace")
        print(answer.status, answer.getheader("Transfer-Encoding"), answer.getheader("Content-Length"))
        lines = [json.loads(line) for line in trace.splitlines()]
        print([line["fields"]["number"] for line in lines if line.get("mark") == "step"] == list(range(3000)))
        open("\(copy)", "wb").write(trace)
        # The connection is there for more.
        print(ask("POST", "/finish")[0].status, process.wait())

        """, cassette)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output == "200\n200\n200\n200\n200\n200\n200 chunked None\nTrue\n200 0\n")
    let shown = try await CommandLineTool.run("show", copy, in: folder)
    #expect(shown.status == 0)
    #expect(shown.errors.contains("there is no closing line"))
  }

  @Test(arguments: ["SIGINT", "SIGTERM", "SIGHUP"])
  func `a signal ends serving, and the verdict is still given`(signal: String) async throws {
    let result = try await Python.run(
      "import signal; signal.signal(signal.\(signal), signal.SIG_DFL)\n" + driver + """
        process.send_signal(signal.\(signal))
        print(process.wait(), process.stdout.read().splitlines()[0].split(",")[0])

        """, cassette, "--strict")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output == "1 served toy-launch: 0 calls\n")
  }

  @Test(arguments: ["SIGINT", "SIGTERM", "SIGHUP"])
  func `a signal goes to the command, whose end ends the replay`(signal: String) async throws {
    let result = try await Python.run(
      """
      import signal, subprocess, sys
      signal.signal(signal.\(signal), signal.SIG_DFL)
      child = '''
      import signal, sys
      signal.signal(signal.\(signal), lambda *_: sys.exit(5))
      print("ready", flush=True)
      while True: signal.pause()
      '''
      process = subprocess.Popen([sys.argv[1], "replay", sys.argv[2], "--", "python3", "-c", child],
          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
      print(process.stdout.readline().strip())
      process.send_signal(signal.\(signal))
      output, errors = process.communicate()
      print(process.returncode, errors.strip())

      """, cassette)
    #expect(result.output == "ready\n1 launchtape: python3 exited with 5\n", "\(result.errors)")
  }

  @Test(arguments: [
    (["--listen", "0.0.0.0:80"], "--listen: 0.0.0.0:80 is not on 127.0.0.1, and a replay is served on loopback only"),
    (["--listen", "80"], "--listen: 80 is no address with a port; write 127.0.0.1:PORT, 0 for a free port"),
    (["--listen", "127.0.0.1:0", "--map", "x"], "--map takes HOST=ADDRESS, not x"),
    (["--map", "a=127.0.0.1:0", "--flow", "first-launch"], "--map goes with --listen or a command, not with --flow"),
    (["--flow", "first-launch", "--", "true"], "--flow goes without --listen and a command"),
    (["--"], "-- COMMAND…: the command is missing"),
  ])
  func `what cannot be served is a usage error`(options: [String], message: String) async throws {
    let result = try await CommandLineTool.run(["replay", cassette] + options, in: folder)
    #expect(result.status == 2)
    #expect(result.errors == "launchtape: \(message)\n  see: launchtape replay --help\n")
  }

  @Test(arguments: [
    (
      ["--map", "onesignal.com=127.0.0.1:0", "--listen", "127.0.0.1:0"],
      "the cassette has no request to onesignal.com; it has example.com, consent.adjust.com"
    ),
    (["--", "/nowhere/app"], "cannot run /nowhere/app: No such file or directory"),
  ])
  func `what cannot run exits with 2`(options: [String], message: String) async throws {
    let result = try await CommandLineTool.run(["replay", cassette] + options, in: folder)
    #expect(result.status == 2)
    #expect(result.errors == "launchtape: \(message)\n")
  }

  private func serve(_ script: String, _ options: String...) async throws -> CommandLineTool.Result {
    let words = ["replay", cassette, "--speed", "immediate"] + options + ["--", "python3", "-c", script]
    return try await CommandLineTool.run(words, in: folder)
  }

  private func contract() throws -> String {
    try folder.write(
      """
      contract "Toy" version 1
      mark att.answered = "ATT answered"
      call session = POST https://consent.adjust.com/session
      call paywall = GET https://example.com/paywall
      [R1] session only after att.answered
      exactly 1 paywall

      """, to: "toy.contract")
  }

  /// The lines without what depends on the clock.
  private func withoutTimes(_ output: String) -> String {
    output.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      if line.hasPrefix("lateness: ") { return "lateness: …" }
      guard line.hasPrefix("served "), let seconds = line.range(of: "[0-9.]+ s,", options: .regularExpression)
      else { return String(line) }
      return line.replacingCharacters(in: seconds, with: "… s,")
    }.joined(separator: "\n")
  }

  private let prelude = """
    import json, os, urllib.error, urllib.request
    def ask(url, data=None, type="application/json"):
        try:
            with urllib.request.urlopen(urllib.request.Request(url, data, {"Content-Type": type})) as answer:
                return f"{answer.status} {answer.read().decode()}".strip()
        except urllib.error.HTTPError as error:
            return f"{error.code} {error.read().decode()}".strip()
    def mark():
        answer = ask(os.environ["LAUNCHTAPE_CONTROL"] + "/marks", b'{"mark":"ATT answered","fields":{"status":3}}')
        print(answer.split(",")[0] + "}")
    host = os.environ["LAUNCHTAPE_EXAMPLE_COM"]

    """

  /// The launch of the cassette, half of it through the proxy.
  private var launch: String {
    prelude + """
      print(ask(host + "/users", b'{"language": "en"}'))
      print(ask("http://example.com/users/u1/messages"))
      mark()
      print(ask("http://consent.adjust.com/session", b"att_status=3", "application/x-www-form-urlencoded"))
      print(ask(host + "/paywall"))

      """
  }

  /// Starts the tool as a server and reads its addresses.
  private let driver = """
    import signal, subprocess, sys
    tool, cassette, *options = sys.argv[1:]
    process = subprocess.Popen([tool, "replay", cassette, "--listen", "127.0.0.1:0", *options],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    addresses = {}
    while "consent.adjust.com" not in addresses:
        name, address = process.stdout.readline().strip().split("=", 1)
        addresses[name] = address

    """
}
