"""Writes a llama-type model with random weights as a GGUF file: enough for a llama.cpp engine to load and run."""
import random
import struct
import sys

WIDTH, HIDDEN, HEADS, LAYERS, CONTEXT = 32, 64, 2, 1, 4096
UINT32, FLOAT32, STRING, ARRAY = 4, 6, 8, 9
INT32 = 5
NORMAL, UNKNOWN, CONTROL, BYTE = 1, 2, 3, 6
ALIGNMENT = 32


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def scalar(kind, value):
    return struct.pack("<I", kind) + (text(value) if kind == STRING else
                                      struct.pack("<f" if kind == FLOAT32 else "<I", value))


def array(kind, values):
    pack = {STRING: text, FLOAT32: lambda v: struct.pack("<f", v), INT32: lambda v: struct.pack("<i", v)}[kind]
    return struct.pack("<IIQ", ARRAY, kind, len(values)) + b"".join(map(pack, values))


def vocabulary():
    """Three marks, all bytes, and the printable characters: (token, kind)."""
    yield from (("<unk>", UNKNOWN), ("<s>", CONTROL), ("</s>", CONTROL))
    yield from (("<0x%02X>" % byte, BYTE) for byte in range(256))
    yield from ((chr(code) if code != 32 else "\u2581", NORMAL) for code in range(32, 127))


def weights(words):
    """Name, shape and values of each tensor."""
    rng = random.Random(1)

    def draw(deviation, *shape):
        return shape, [rng.gauss(0, deviation) for _ in range(shape[0] * shape[1])]

    ones = ((WIDTH,), [1.0] * WIDTH)
    yield "token_embd.weight", *draw(1, words, WIDTH)
    yield "output_norm.weight", *ones
    yield "output.weight", *draw(0.1, words, WIDTH)  # small: every token is about as likely
    for i in range(LAYERS):
        block = "blk.%d." % i
        for name in "attn_q", "attn_k", "attn_v", "attn_output":
            yield block + name + ".weight", *draw(0.2, WIDTH, WIDTH)
        for name in "ffn_gate", "ffn_up":
            yield block + name + ".weight", *draw(0.2, HIDDEN, WIDTH)
        yield block + "ffn_down.weight", *draw(0.2, WIDTH, HIDDEN)
        for name in "attn_norm", "ffn_norm":
            yield block + name + ".weight", *ones


def write(path):
    tokens = list(vocabulary())
    fields = {
        "general.architecture": scalar(STRING, "llama"),
        "general.name": scalar(STRING, "random"),
        "llama.vocab_size": scalar(UINT32, len(tokens)),
        "llama.context_length": scalar(UINT32, CONTEXT),
        "llama.embedding_length": scalar(UINT32, WIDTH),
        "llama.block_count": scalar(UINT32, LAYERS),
        "llama.feed_forward_length": scalar(UINT32, HIDDEN),
        "llama.attention.head_count": scalar(UINT32, HEADS),
        "llama.rope.dimension_count": scalar(UINT32, WIDTH // HEADS),
        "llama.attention.layer_norm_rms_epsilon": scalar(FLOAT32, 1e-5),
        "tokenizer.ggml.model": scalar(STRING, "llama"),
        "tokenizer.ggml.tokens": array(STRING, [token for token, _ in tokens]),
        "tokenizer.ggml.scores": array(FLOAT32, [0.0] * len(tokens)),
        "tokenizer.ggml.token_type": array(INT32, [kind for _, kind in tokens]),
        "tokenizer.ggml.bos_token_id": scalar(UINT32, 1),
        "tokenizer.ggml.eos_token_id": scalar(UINT32, 2),
    }
    header, data = b"", b""
    tensors = list(weights(len(tokens)))
    for name, shape, values in tensors:
        header += text(name) + struct.pack("<I", len(shape))
        header += b"".join(struct.pack("<Q", size) for size in reversed(shape))
        header += struct.pack("<IQ", 0, len(data))  # 0: 32-bit floats
        data += struct.pack("<%df" % len(values), *values)
        data += b"\0" * (-len(data) % ALIGNMENT)
    start = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(fields))
    start += b"".join(text(key) + value for key, value in fields.items()) + header
    with open(path, "wb") as file:
        file.write(start + b"\0" * (-len(start) % ALIGNMENT) + data)


if __name__ == "__main__":
    write(sys.argv[1])
