"""Keys and tree heads as C2SP writes them: signed-note, tlog-checkpoint; and Ed25519 (RFC 8032, 5.1)."""
import base64, collections, functools, hashlib, re

Key = collections.namedtuple('Key', 'name id data')
Head = collections.namedtuple('Head', 'text origin size root signatures')
# Bytes that are no UTF-8 are read as half characters, which no name has.
NAME, BASE64 = r'[^+\s\0-\x1f\x7f-\x9f\ufeff\ud800-\udfff]+', '[A-Za-z0-9+/]+={0,2}'
KEY = rf'({NAME})\+([0-9a-f]{{8}})\+({BASE64})\n?'
ORIGIN = NAME.replace('+', '', 1)
NOTE = rf'(({ORIGIN})\n(0|[1-9][0-9]{{0,14}})\n({BASE64})\n)(\n(— {NAME} {BASE64}\n){{1,100}})?'

# Ed25519 with integers alone: nothing here is secret.
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P

def add(a, b):
    """The sum of two points (X, Y, Z, T), where x = X/Z, y = Y/Z and xy = T/Z."""
    e, f = (a[1] - a[0]) * (b[1] - b[0]), (a[1] + a[0]) * (b[1] + b[0])
    g, h = 2 * a[3] * b[3] * D, 2 * a[2] * b[2]
    return (f - e) * (h - g) % P, (h + g) * (f + e) % P, (h - g) * (h + g) % P, (f - e) * (f + e) % P

def times(factor, point):
    doubled = times(factor >> 1, add(point, point)) if factor > 1 else (0, 1, 1, 0)
    return add(doubled, point) if factor & 1 else doubled

def point_of(data):
    y = int.from_bytes(data, 'little') % 2**255
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    root = pow(square, (P + 3) // 8, P)
    x = root if root * root % P == square else root * pow(2, (P - 1) // 4, P) % P
    x = x if x & 1 == data[31] >> 7 else P - x
    return (x, y, 1, x * y % P) if x * x % P == square else None

@functools.lru_cache(None)
def verifies(key, text, signature):
    point, s = point_of(key), int.from_bytes(signature[32:], 'little')
    if point is None or len(signature) != 64 or s >= L:
        return False
    factor = int.from_bytes(hashlib.sha512(signature[:32] + key + text).digest(), 'little') % L
    base = point_of((4 * pow(5, -1, P) % P).to_bytes(32, 'little'))
    # 8 L times any point is nothing, also where the key is no multiple of the base.
    x, y, z, _ = add(times(s, base), times(8 * L - factor, point))
    x, y = x * pow(z, -1, P) % P, y * pow(z, -1, P) % P
    return (y | (x & 1) << 255).to_bytes(32, 'little') == signature[:32]

def data_of(text):
    """Nothing, where base64 is written in another way than it would be."""
    data = base64.b64decode(text[:len(text) // 4 * 4])
    return data if base64.b64encode(data).decode() == text else b''

def key_of(text):
    found = isinstance(text, str) and re.fullmatch(KEY, text)
    data = data_of(found[3]) if found else b''
    if len(data) == 33 and data[0] == 1:
        key_id = hashlib.sha256(found[1].encode() + b'\n' + data).hexdigest()[:8]
        return Key(found[1], key_id, data[1:]) if key_id == found[2] else None

def head_of(note):
    found = re.fullmatch(NOTE, note.decode(errors='surrogateescape'))
    if found:
        text, origin, size, root, signatures, _ = found.groups('')
        signed = [(name, data_of(data)) for name, data in re.findall('— (.+) (.+)\n', signatures)]
        if len(data_of(root)) == 32 and all(len(data) > 4 for _, data in signed):
            return Head(text.encode(), origin, int(size), data_of(root), signed)

def signer_of(head, keys):
    """The key that signed; `forged` where a signature says that it is one's and is not."""
    found = [(key, verifies(key.data, head.text, data[4:])) for name, data in head.signatures
             for key in keys if (name, data[:4].hex()) == (key.name, key.id)]
    return 'forged' if not all(holds for _, holds in found) else found[0][0] if found else None

def notes_of(data, is_anchor=False):
    """Lines and heads, None for what is none. Of an anchor, nothing that was never finished is left out."""
    data = data.rstrip(b' \t\n\v\f\r\xa0') + b'\n\n' if is_anchor else data
    if is_anchor and b'\n\n' not in data[:-2]:
        return [(1, head_of(data[:-1]))]
    blocks, line, notes = data.split(b'\n\n'), 1, []
    for text, signatures in zip(blocks[:-1:2], blocks[1:-1:2]):
        notes.append((line, head_of(text + b'\n\n' + signatures + b'\n')))
        line += text.count(b'\n') + signatures.count(b'\n') + 4
    return notes + [(line, None)] * (is_anchor and len(blocks) % 2 == 0)
