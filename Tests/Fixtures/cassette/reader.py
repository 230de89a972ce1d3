#!/usr/bin/env python3
"""Reads cassettes as Format.md describes them, and prints each line of theirs: compact JSON, keys sorted, defaults filled in,
bodies as base64 of the bytes they stand for. `reader.py FILE...`"""
import base64, hashlib, json, pathlib, re, sys

class Number(str): pass
class Pairs(list): pass

HEAD = {"headers": [], "http": "1.1"}
DEFAULTS = {"request": {"headers": [], "body": None}, "response": HEAD, "informational": HEAD,
            "connection": {"address": "", "reused": False, "http": "1.1"},
            "end": {"body": None, "trailers": [], "raw": False, "missing": False},
            "error": {"body": None, "trailers": [], "raw": False, "missing": False, "message": ""},
            "mark": {"fields": Pairs()}, "closed": {"redacted": Pairs()}}

def refuse(name): raise ValueError(name)

def parse(text):
    return json.loads(text, object_pairs_hook=Pairs, parse_int=Number, parse_float=Number, parse_constant=refuse)

def compact(value):
    if isinstance(value, Number): return value
    if isinstance(value, dict): return compact(Pairs(sorted(value.items())))
    if isinstance(value, Pairs): return "{" + ",".join(compact(k) + ":" + compact(v) for k, v in value) + "}"
    if isinstance(value, list): return "[" + ",".join(map(compact, value)) + "]"
    return json.dumps(value, ensure_ascii=False)

def content(body, folder):
    body = dict(body or [("text", "")])
    if "json" in body: return compact(body["json"]).encode()
    if "text" in body: return body["text"].encode(body.get("charset", "utf-8"))
    if "base64" in body: return base64.b64decode(body["base64"], validate=True)
    name = body["file"]
    if "/" in name or "\\" in name or name.startswith("."): raise ValueError("no name of a file: " + name)
    data = (folder / name).read_bytes()
    if len(data) != int(body["bytes"]) or hashlib.md5(data).hexdigest() != body["md5"]: raise ValueError(name)
    return data

def events(path):
    folder = pathlib.Path(re.sub(r"(\.\d+)?\.part$", "", str(path)) + ".bodies")
    lines = [line for line in path.read_bytes().split(b"\n") if line.strip()]
    for index, line in enumerate(lines):
        try: event = dict(parse(line.decode("utf-8")))
        except ValueError:
            if index and index == len(lines) - 1: return  # what a dying writer left
            raise
        for key in DEFAULTS.keys() & event.keys():
            if key in ("mark", "closed"): event = {**DEFAULTS[key], **event}
            else:
                event[key] = {**DEFAULTS[key], **dict(event[key])}
                if "body" in event[key]:
                    event[key]["body"] = base64.b64encode(content(event[key]["body"], folder)).decode()
        yield event

for name in sys.argv[1:]:
    for event in events(pathlib.Path(name)): print(compact(event))
