#if os(Linux)
  import Foundation
  import Testing

  /// A replay opens no socket but the harness's own, and needs no network.
  @Suite struct IsolationTests {
    private let cassette = "Tests/cassettes/toy-launch.cassette"

    @Test func `a replay in process opens no socket at all`() async throws {
      let result = try await Python.run(
        """
        import os, subprocess, sys
        process = subprocess.Popen(
            [sys.argv[1], "replay", "cassettes/first-launch.cassette", "--flow", "first-launch", "--speed", "20"],
            stdout=subprocess.DEVNULL)
        sockets, samples = set(), 0
        while process.poll() is None:
            samples += 1
            for name in os.listdir(f"/proc/{process.pid}/fd"):
                try: target = os.readlink(f"/proc/{process.pid}/fd/{name}")
                except FileNotFoundError: continue
                if target.startswith("socket:"): sockets.add(target)
        print(process.returncode, samples > 0, len(sockets))

        """)
      #expect(result.output == "0 True 0\n", "\(result.errors)")
    }

    @Test func `a served replay has its listeners and connections on loopback, and no other socket`() async throws {
      let script = """
        import http.client, os, re
        connection = http.client.HTTPConnection(os.environ["LAUNCHTAPE_EXAMPLE_COM"][7:])
        connection.request("GET", "/paywall")
        connection.getresponse().read()
        parent = f"/proc/{os.getppid()}/fd"
        links = [os.readlink(f"{parent}/{name}") for name in os.listdir(parent)]
        sockets = {link[8:-1] for link in links if link.startswith("socket:")}
        listening = connected = 0
        for line in open("/proc/net/tcp").readlines()[1:]:
            _, local, remote, state, *rest = line.split()
            if rest[5] in sockets and local.startswith("0100007F:"):
                listening += state == "0A"
                connected += state == "01" and remote.startswith("0100007F:")
        print(len(sockets), listening, connected)
        """
      let result = try await Python.run(
        """
        import subprocess, sys
        words = [sys.argv[1], "replay", sys.argv[2], "--speed", "immediate", "--", "python3", "-c", sys.argv[3]]
        print(subprocess.run(words, stdout=subprocess.PIPE, text=True).stdout.splitlines()[0])

        """, cassette, script)
      // The proxy, the control endpoint, two hosts; one client.
      #expect(result.output == "5 4 1\n", "\(result.errors)")
    }

    @Test func `both replays work in a network namespace without a route`() async throws {
      let result = try await Python.run(
        """
        import subprocess, sys
        tool, cassette, loopback = sys.argv[1:]
        def isolated(*words):
            return subprocess.run(["unshare", "-rn", *words], capture_output=True, text=True)
        try: probe = isolated("true").stderr
        except FileNotFoundError as error: probe = str(error)
        if probe: sys.exit("no network namespace to be had: " + probe.strip())
        flow = ["replay", "cassettes/first-launch.cassette", "--flow", "first-launch", "--speed", "immediate"]
        print(isolated(tool, *flow).returncode)
        client = '''
        import os, urllib.request
        print(urllib.request.urlopen("http://example.com/paywall").read().decode())
        '''
        served = isolated("python3", "-c", loopback, tool, "replay", cassette, "--", "python3", "-c", client)
        print(served.returncode, served.stdout.splitlines()[0])

        """, cassette, loopback)
      if result.errors.hasPrefix("no network namespace to be had: ") {
        print("skipped: \(result.errors)", terminator: "")
      } else {
        #expect(result.output == "0\n0 {}\n", "\(result.errors)")
      }
    }

    /// Brings the loopback interface up (SIOCSIFFLAGS with IFF_UP) and becomes the program that its arguments name.
    private let loopback = """
      import fcntl, os, socket, struct, sys
      with socket.socket() as any: fcntl.ioctl(any, 0x8914, struct.pack("16sh22x", b"lo", 1))
      os.execv(sys.argv[1], sys.argv[1:])
      """
  }
#endif
