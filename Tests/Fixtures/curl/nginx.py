"""Runs nginx on loopback ports of its own, with a certificate made for the run.

Prints one line of JSON with the ports and files, and ends when its standard input does.
"""
import json, os, shutil, socket, subprocess, sys, tempfile

CONFIGURATION = """
daemon off; pid {folder}/pid; error_log stderr notice; worker_processes 1;
events {{}}
http {{
  access_log off; port_in_redirect off; default_type text/plain;
  keepalive_requests 10000; keepalive_timeout 1h;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  ssl_certificate {folder}/certificate.pem; ssl_certificate_key {folder}/key.pem;
  server {{
    listen 127.0.0.1:{plain};
    root {folder}/www;
    location = /gzip.txt {{ gzip on; gzip_min_length 1; gzip_types *; }}
    location = /chunked.txt {{ ssi on; ssi_types *; }}
    location = /redirect {{ return 302 /plain.txt; }}
    location = /cookies {{ add_header Set-Cookie "a=1; Path=/"; add_header Set-Cookie b=2; return 200 "cookies"; }}
    location = /none {{ return 204; }}
  }}
  server {{
    listen 127.0.0.1:{http2} ssl http2;
    location / {{ return 200 "$server_protocol $ssl_server_name $http_host $connection"; }}
  }}
  server {{
    listen 127.0.0.1:{http1} ssl;
    location / {{ return 200 "$server_protocol $ssl_server_name $http_host $connection"; }}
  }}
}}
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for sock in sockets:
        sock.bind(("127.0.0.1", 0))
    ports = [sock.getsockname()[1] for sock in sockets]
    for sock in sockets:
        sock.close()
    return ports


def start(folder, ports):
    """nginx once it listens; None when it cannot, as when somebody else took a port."""
    with open(f"{folder}/nginx.conf", "w") as file:
        file.write(CONFIGURATION.format(folder=folder, **ports))
    process = subprocess.Popen(
        ["nginx", "-p", folder, "-c", f"{folder}/nginx.conf", "-e", "stderr"], stderr=subprocess.PIPE, text=True)
    log = []
    for line in process.stderr:
        log.append(line)
        if "start worker processes" in line:
            return process
    sys.stderr.writelines(log)
    return None


folder = tempfile.mkdtemp(prefix="launch-nginx-")
os.chmod(folder, 0o755)
try:
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-keyout", f"{folder}/key.pem", "-out", f"{folder}/certificate.pem", "-subj", "/CN=vendor.test",
         "-addext", "subjectAltName=DNS:vendor.test"], check=True, stderr=subprocess.DEVNULL)
    os.mkdir(f"{folder}/www")
    for name in ("plain", "gzip", "chunked"):
        with open(f"{folder}/www/{name}.txt", "w") as file:
            file.write("Consent first, attribution second, paywall last.\n" * 50)
    process = None
    for _ in range(5):
        ports = dict(zip(("plain", "http2", "http1"), free_ports(3)))
        if process := start(folder, ports):
            break
    if process is None:
        sys.exit(1)
    print(json.dumps({**{name: str(port) for name, port in ports.items()},
                      "certificate": f"{folder}/certificate.pem"}), flush=True)
    sys.stdin.read()
    process.terminate()
    process.wait()
finally:
    shutil.rmtree(folder)
