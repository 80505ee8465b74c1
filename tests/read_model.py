#!/usr/bin/env python3
"""Reads a model file without nrs: NumPy and the standard library, from docs/model-format.md alone.
usage: read_model.py MODEL.  Prints the metadata keys, then name, shape and sum of each tensor."""
import json, struct, sys, zlib
import numpy

content = open(sys.argv[1], "rb").read()
(length,) = struct.unpack("<Q", content[:8])
header = json.loads(content[8 : 8 + length])
metadata = header.pop("__metadata__")

stored = metadata["crc32"]
field = b'"crc32":"%s"' % stored.encode()
assert content.count(field, 0, 8 + length) == 1
blank = content[: 8 + length].replace(field, b'"crc32":"00000000"') + content[8 + length :]
assert "%08x" % zlib.crc32(blank) == stored, "damaged"

types = {"F16": "<f2", "F32": "<f4", "F64": "<f8", "I64": "<i8", "U64": "<u8", "U16": "<u2", "U8": "u1"}
print("metadata", *sorted(metadata))
for name, entry in sorted(header.items()):
    begin, end = entry["data_offsets"]
    data = numpy.frombuffer(content[8 + length + begin : 8 + length + end], types[entry["dtype"]])
    print(name, entry["shape"], "%.6f" % data.reshape(entry["shape"]).astype("f8").sum())
