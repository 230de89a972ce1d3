"""A server for the transport's tests: each path is one way to answer, down to the byte.

Prints one line of JSON with its ports, and ends when its standard input does.
"""
import fcntl, gzip, json, socket, struct, sys, termios, threading, zlib
from urllib.parse import parse_qs, urlsplit

CONTENT = b"Consent first, attribution second, paywall last. " * 20
gates, gates_lock = {}, threading.Lock()


def gate(name):
    with gates_lock:
        return gates.setdefault(name, threading.Event())


class Connection:
    def __init__(self, sock):
        self.sock, self.buffer, self.count = sock, b"", 0

    def fill(self):
        piece = self.sock.recv(65536)
        self.buffer += piece
        return bool(piece)

    def head(self):
        while b"\r\n\r\n" not in self.buffer:
            if not self.fill():
                return None
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        self.count += 1
        return head + b"\r\n\r\n"

    def body(self, head):
        lengths = [line.split(b":")[1] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        length = int(lengths[0]) if lengths else 0
        while len(self.buffer) < length and self.fill():
            pass
        body, self.buffer = self.buffer[:length], self.buffer[length:]
        return body

    def send(self, *pieces):
        self.sock.sendall(b"".join(pieces))

    def answer(self, body=b"", *lines, status=b"200 OK"):
        length = b"Content-Length: %d" % len(body)
        self.send(b"HTTP/1.1 " + status + b"\r\n", b"\r\n".join([length, *lines]), b"\r\n\r\n", body)

    def chunk(self, content):
        self.send(b"%x\r\n" % len(content), content, b"\r\n")

    def reset(self):
        # A reset throws away what has not been sent, so wait until all has.
        while struct.unpack("i", fcntl.ioctl(self.sock, termios.TIOCOUTQ, b"\0" * 4))[0]:
            pass
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def serve(sock):
    connection = Connection(sock)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        while (head := connection.head()) is not None:
            if not respond(connection, head):
                break
    except OSError:
        pass
    finally:
        sock.close()


def respond(connection, head):
    """Answers one request; true to keep the connection."""
    url = urlsplit(head.split(b" ")[1].decode("latin-1"))
    query = {key: values[0] for key, values in parse_qs(url.query).items()}
    answer, send, chunk = connection.answer, connection.send, connection.chunk
    path = url.path
    if path == "/overtaken":
        answer(b"too much", b"Connection: close", status=b"413 Content Too Large")
        while connection.fill():
            connection.buffer = b""
        return False
    body = connection.body(head)
    if path == "/plain":
        answer(CONTENT, b"Content-Type: text/plain")
    elif path == "/peer":
        answer(b"%d" % connection.sock.getpeername()[1])
    elif path == "/echo":
        answer(head + body)
    elif path == "/length":
        answer(b"%d %d" % (len(body), zlib.crc32(body)), *[line for line in head.split(b"\r\n") if line[:6] == b"Expect"])
    elif path == "/fields":
        send(b"HTTP/1.1 200 Fine\r\nX-ODD-case:  1 \r\nset-cookie: a=1\r\nSet-Cookie: b=2; Path=/\r\nx-empty:\r\n",
             b"X-Folded: one\r\n \t two\r\nX-Latin: caf\xe9\r\nX-Unicode: caf\xc3\xa9\r\nContent-Length: 2\r\n\r\nok")
    elif path == "/gzip":
        answer(gzip.compress(CONTENT), b"Content-Encoding: gzip")
    elif path == "/x-gzip":
        answer(gzip.compress(CONTENT), b"content-encoding: X-Gzip")
    elif path == "/members":
        answer(gzip.compress(CONTENT[:100]) + gzip.compress(CONTENT[100:]), b"Content-Encoding: gzip")
    elif path == "/deflate":
        answer(zlib.compress(CONTENT), b"Content-Encoding: deflate")
    elif path == "/bare-deflate":
        compressor = zlib.compressobj(6, zlib.DEFLATED, -15)
        answer(compressor.compress(CONTENT) + compressor.flush(), b"Content-Encoding: deflate")
    elif path == "/identity":
        answer(CONTENT, b"Content-Encoding: identity")
    elif path == "/unknown":
        answer(CONTENT, b"Content-Encoding: compress")
    elif path == "/twice":
        answer(gzip.compress(gzip.compress(CONTENT)), b"Content-Encoding: gzip", b"Content-Encoding: gzip")
    elif path == "/not-gzip":
        answer(CONTENT, b"Content-Encoding: gzip")
    elif path == "/cut-gzip":
        answer(gzip.compress(CONTENT)[:-9], b"Content-Encoding: gzip")
    elif path == "/corrupt-gzip":
        good = zlib.compressobj(6, zlib.DEFLATED, 31)
        send(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n")
        chunk(good.compress(CONTENT) + good.flush(zlib.Z_SYNC_FLUSH))
        gate(query["gate"]).wait()
        chunk(b"\xff" * 30)
        send(b"0\r\n\r\n")
    elif path == "/encoded-nothing":
        answer(b"", b"Content-Encoding: gzip")
    elif path == "/chunked":
        send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        send(b"5;name=value\r\nfirst\r\n")
        chunk(b"second")
        send(b"0\r\n\r\n")
    elif path == "/trailers":
        send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n")
        chunk(b"content")
        send(b"0\r\nX-Sum: 7\r\nx-sum: 8\r\nX-Empty:\r\n\r\n")
    elif path == "/until-close":
        send(b"HTTP/1.0 200 OK\r\n\r\n", CONTENT)
        return False
    elif path == "/redirect":
        answer(b"", b"Location: /plain", status=b"302 Found")
    elif path == "/missing":
        answer(b"nothing here", status=b"404 Not Found")
    elif path == "/none":
        send(b"HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n")
    elif path == "/head":
        send(b"HTTP/1.1 200 OK\r\nContent-Length: 12345\r\nContent-Encoding: gzip\r\n\r\n")
    elif path == "/early":
        send(b"HTTP/1.1 100 Continue\r\n\r\n")
        send(b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\nlink: </b.css>\r\n\r\n")
        answer(b"late", b"X-Final: 1")
    elif path == "/steps":
        send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        for word in ("one", "two", "three"):
            chunk(word.encode())
            gate(query["gate"] + word).wait()
        send(b"0\r\n\r\n")
    elif path == "/open":
        gate(query["gate"]).set()
        answer(b"")
    elif path == "/await":
        gate(query["gate"]).wait()
        answer(b"")
    elif path == "/hang":
        while connection.fill():
            pass
        gate(query["gate"]).set()
        return False
    elif path == "/reset":
        connection.reset()
        return False
    elif path == "/reset-body":
        send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
        gate(query["gate"]).wait()
        connection.reset()
        return False
    elif path == "/close":
        return False
    elif path == "/stale":
        if connection.count > 1:
            return False
        answer(b"fresh")
    elif path == "/cut":
        send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
        return False
    elif path == "/cut-chunked":
        send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        chunk(b"half")
        return False
    elif path == "/cut-head":
        send(b"HTTP/1.1 200 OK\r\nContent-Le")
        return False
    elif path == "/bad-chunk":
        send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnot a size\r\n")
        return False
    elif path == "/bad-length":
        send(b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n")
        return False
    elif path == "/garbage":
        send(b"SSH-2.0-Launch\r\n")
        return False
    else:
        answer(b"unknown path", status=b"500 Internal Server Error")
    return True


def accept(listener):
    while True:
        sock, _ = listener.accept()
        threading.Thread(target=serve, args=(sock,), daemon=True).start()


def listening(backlog):
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    if backlog is not None:
        listener.listen(backlog)
    return listener


server, silent, full, deaf = listening(512), listening(512), listening(0), listening(None)
# Nobody accepts these: from the second on the system leaves connection attempts without an answer.
fillers = [socket.socket() for _ in range(4)]
for filler in fillers:
    filler.setblocking(False)
    filler.connect_ex(full.getsockname())
threading.Thread(target=accept, args=(server,), daemon=True).start()
ports = {"server": server, "silent": silent, "full": full, "deaf": deaf}
print(json.dumps({name: str(sock.getsockname()[1]) for name, sock in ports.items()}), flush=True)
sys.stdin.read()
