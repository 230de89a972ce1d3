"""Serves the stand-ins over HTTPS under the vendors' real host names, and records launches against them.

usage: https.py LAUNCHTAPE FOLDER [option]... [-- RECORD-ARGUMENT...]...

  --fault LINE      what goes wrong, as for launchtape sandbox
  --host HOST       another host in the certificate, answered like the others
  --closed HOST     a host where connections are refused
  --inside HOST     a host that is left to the recording's own stand-ins
  --seconds N       each recording is interrupted then

FOLDER gets ca.pem, the authority behind the certificate; other.pem, an authority behind nothing; and requests.json, what
the stand-ins received. Ends with the last recording's exit status.
"""
import argparse
import json
import pathlib
import socket
import ssl
import subprocess
import sys
import threading
import urllib.request

words = sys.argv[1:]
splits = [place for place, word in enumerate(words) if word == "--"] + [len(words)]
recordings = [words[start + 1:end] for start, end in zip(splits, splits[1:])]
parser = argparse.ArgumentParser()
parser.add_argument("launchtape")
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--fault", action="append", default=[])
parser.add_argument("--closed", action="append", default=[])
parser.add_argument("--inside", action="append", default=[])
parser.add_argument("--host", action="append", default=[])
parser.add_argument("--seconds")
options = parser.parse_args(words[:splits[0]])
folder = options.folder


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def make_authority(name):
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", f"/CN=Test authority {name}", "-keyout", f"{name}.key", "-out", f"{name}.pem")


def make_certificate(hosts):
    (folder / "names").write_text("subjectAltName=" + ",".join(f"DNS:{host}" for host in hosts))
    openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=vendors",
            "-keyout", "vendors.key", "-out", "vendors.csr")
    openssl("x509", "-req", "-in", "vendors.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
            "-extfile", "names", "-out", "vendors.pem")


def copy(source, target):
    try:
        while data := source.recv(1 << 16):
            target.sendall(data)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def terminate(client, context, port):
    try:
        client = context.wrap_socket(client, server_side=True)
    except OSError:
        return client.close()
    server = socket.create_connection(("127.0.0.1", port))
    for end in (client, server):
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    back = threading.Thread(target=copy, args=(server, client), daemon=True)
    back.start()
    copy(client, server)
    back.join()
    client.close()
    server.close()


def serve(listener, context, port):
    while True:
        try:
            client, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=terminate, args=(client, context, port), daemon=True).start()


faults = [word for line in options.fault for word in ("--fault", line)]
sandbox = subprocess.Popen([options.launchtape, "sandbox", *faults], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
try:
    hosts, port, admin = list(options.host), None, None
    for line in sandbox.stdout:
        if line.startswith("admin: "):
            admin = line.split()[1]
            break
        if line.startswith("  "):
            host, address = line.strip().split("=")
            hosts.append(host)
            # Every stand-in answers for all of them, by the Host line.
            port = int(address.rsplit(":", 1)[1])

    make_authority("ca")
    make_authority("other")
    make_certificate(hosts)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "vendors.pem", folder / "vendors.key")
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    secure = listener.getsockname()[1]
    threading.Thread(target=serve, args=(listener, context, port), daemon=True).start()
    # Bound, never listening: a connection is refused, and nobody else gets the port.
    closed = socket.socket()
    closed.bind(("127.0.0.1", 0))

    routes = []
    for host in filter(lambda host: host not in options.inside, hosts):
        to = closed.getsockname()[1] if host in options.closed else secure
        routes += ["--route", f"{host}=tls://127.0.0.1:{to}"]
    limit = ["timeout", "--preserve-status", "--signal=INT", options.seconds] if options.seconds else []
    for recording in recordings:
        command = [*limit, options.launchtape, "record", *recording, *routes]
        status = subprocess.run(command, cwd=folder).returncode
    with urllib.request.urlopen(admin) as answer:
        (folder / "requests.json").write_text(json.dumps(json.load(answer)))
finally:
    sandbox.terminate()
    sandbox.wait()
sys.exit(status)
