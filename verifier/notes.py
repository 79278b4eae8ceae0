"""Keys and tree heads as C2SP writes them: signed-note, tlog-checkpoint."""
import base64, collections, hashlib, re
from ed25519 import verifies

Key = collections.namedtuple('Key', 'name id data')
Head = collections.namedtuple('Head', 'text origin size root signatures')
# Bytes that are no UTF-8 are read as half characters, which no name has.
NAME, BASE64 = r'[^+\s\0-\x1f\x7f-\x9f\ufeff\ud800-\udfff]+', '[A-Za-z0-9+/]+={0,2}'
KEY = rf'({NAME})\+([0-9a-f]{{8}})\+({BASE64})\n?'
ORIGIN = NAME.replace('+', '', 1)
NOTE = rf'(({ORIGIN})\n(0|[1-9][0-9]{{0,14}})\n({BASE64})\n)(\n(— {NAME} {BASE64}\n){{1,100}})?'

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
