# SPDX-License-Identifier: MIT
"""A writer and a reader of .png files that share nothing with the program's own."""
import struct
import zlib

import numpy as np

SIGNATURE = b"\x89PNG\r\n\x1a\n"
GREY, RGB, PALETTE, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6
CHANNELS = {GREY: 1, RGB: 3, PALETTE: 1, GREY_ALPHA: 2, RGBA: 4}
ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def head(width, height, bits=8, kind=RGBA, interlaced=False):
    return SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, int(interlaced)))


def packed_rows(values, bits):
    """Rows of (height, width, channels) without a filter."""
    rows = values.reshape(values.shape[0], -1)
    if bits == 16:
        rows = np.ascontiguousarray(rows.astype(">u2")).view("u1").reshape(rows.shape[0], -1)
    elif bits < 8:
        each = (rows[:, :, None] >> np.arange(bits - 1, -1, -1)) & 1
        rows = np.packbits(each.reshape(rows.shape[0], -1).astype("u1"), axis=1)
    return np.hstack([np.zeros((rows.shape[0], 1), "u1"), rows.astype("u1")]).tobytes()


def png(values, kind=RGBA, bits=8, interlaced=False, chunks=b"", level=1):
    """`values` are (height, width, channels), as they are to be stored; `chunks` stand before the pixels."""
    values = values.reshape(values.shape[0], values.shape[1], CHANNELS[kind])
    data = b""
    for x, y, across, down in ADAM7 if interlaced else ((0, 0, 1, 1),):
        part = values[y::down, x::across]
        if part.size > 0:
            data += packed_rows(part, bits)
    height, width = values.shape[:2]
    return (head(width, height, bits, kind, interlaced) + chunks + chunk(b"IDAT", zlib.compress(data, level)) +
            chunk(b"IEND", b""))


def chunks_of(content):
    assert content.startswith(SIGNATURE)
    at = len(SIGNATURE)
    while at < len(content):
        size, name = struct.unpack(">I4s", content[at:at + 8])
        data = content[at + 8:at + 8 + size]
        assert struct.unpack(">I", content[at + 8 + size:at + 12 + size])[0] == zlib.crc32(name + data)
        yield name, data
        at += 12 + size


def read_png(content):
    """(values of (height, width, channels), names of the chunks)."""
    chunks = list(chunks_of(content))
    width, height, bits, kind, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[0][1])
    assert interlaced == 0 and bits in (8, 16) and chunks[-1][0] == b"IEND"
    unit = CHANNELS[kind] * bits // 8
    data = zlib.decompress(b"".join(data for name, data in chunks if name == b"IDAT"))
    rows = np.frombuffer(data, "u1").reshape(height, 1 + width * unit)
    out = np.zeros((height, width * unit), "u1")
    before = np.zeros(width * unit, "u1")
    for y in range(height):
        out[y] = rows[y, 1:]
        if rows[y, 0] == 1:
            out[y] = np.cumsum(out[y].reshape(width, unit), axis=0, dtype="u1").ravel()
        elif rows[y, 0] == 2:
            out[y] += before
        elif rows[y, 0] != 0:
            raise ValueError(f"filter {rows[y, 0]} is not known here")
        before = out[y]
    values = out if bits == 8 else out.view(">u2").astype("u2")
    return values.reshape(height, width, CHANNELS[kind]), [name for name, _ in chunks]
