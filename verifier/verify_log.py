#!/usr/bin/env python3
"""A second verifier for decision logs: chain, segments, order of work, tree heads, signatures, anchors. Python 3.8, nothing else.

usage: verify_log.py LOG [--key FILE]... [--anchor FILE]...      exit code 0 holds, 1 does not, 2 cannot be read
"""
import base64, hashlib, json, os, re, sys, urllib.parse

from canonical import canonical
from ed25519 import verifies
from segments import SegmentOrder, first_path_of, is_segment, segment_path

sys.setrecursionlimit(20000)
sha256 = lambda data: hashlib.sha256(data).digest()

class Damage(Exception):
    pass

def no_constant(name):
    raise ValueError(name)

EVENTS = ('run', 'policy', 'decision', 'approval', 'outcome', 'end', 'segment')
FIELDS = (('time', r'[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z'), ('run', r'(?s).*'), ('event', r'(?s).*'),
          ('prev', r'[0-9a-f]{64}'), ('hash', r'[0-9a-f]{64}'))

def parse(line):
    try:
        text = line.decode('utf-8')
    except UnicodeDecodeError:
        raise Damage('BAD_ENCODING')
    doubled = []

    def members(pairs):
        doubled.extend(pairs[len(dict(pairs)):])
        return dict(pairs)

    try:
        entry = json.loads(text, object_pairs_hook=members, parse_constant=no_constant, parse_int=float)
    except ValueError as error:
        raise Damage('TRAILING_GARBAGE' if 'Extra data' in str(error) and text.lstrip()[0] in '{[' else 'BAD_JSON')
    if not isinstance(entry, dict):
        raise Damage('BAD_JSON')
    if doubled:
        raise Damage('DUPLICATE_KEY')
    if entry.get('v') is True or entry.get('v') != 1:
        raise Damage('WRONG_VERSION')
    seq = entry.get('seq')
    if not isinstance(seq, float) or seq < 0 or seq != int(seq) or seq > 2**53 - 1:
        raise Damage('BAD_FIELD')
    if any(not isinstance(entry.get(key), str) or not re.fullmatch(form, entry[key], re.ASCII) for key, form in FIELDS):
        raise Damage('BAD_FIELD')
    if entry['event'] not in EVENTS:
        raise Damage('UNKNOWN_EVENT')
    if entry['event'] in EVENTS[2:5] and not isinstance(entry.get('call'), str):
        raise Damage('BAD_FIELD')
    if entry['event'] == 'segment' and not is_segment(entry):
        raise Damage('BAD_FIELD')
    return entry

def follows(entry, last, calls, order, size):
    """What is wrong with an entry after `last`, the one before it in its own file or None; there are `size` in all files."""
    run, seq, prev = (last['run'], last['seq'] + 1, last['hash']) if last else (entry['run'], 0, '0' * 64)
    if entry['seq'] != seq:
        raise Damage('SEQ_GAP')
    if entry['event'] != 'run' and entry['run'] != run:
        raise Damage('RUN_CHANGED')
    if entry['prev'] != prev:
        raise Damage('PREV_MISMATCH' if last else 'FIRST_PREV')
    try:
        found = sha256(canonical({key: entry[key] for key in entry if key != 'hash'}).encode('utf-8')).hex()
    except ValueError:
        found = None
    if found != entry['hash']:
        raise Damage('HASH_MISMATCH')
    wrong = order.accept(entry, size)
    if wrong:
        raise Damage(wrong)
    call = calls.get(entry.get('call')) if isinstance(entry.get('call'), str) else None
    if entry['event'] == 'decision':
        refused = isinstance(entry.get('code'), str)
        calls[entry['call']] = [None if refused else entry.get('decision'), bool(call and call[1])]
    elif entry['event'] == 'approval' and call:
        call[1] = entry.get('approved') is True
    elif entry['event'] == 'outcome':
        calls.pop(entry['call'], None)
        permitted = call and (call[0] == 'pre_approved' or (call[0] == 'needs_approval' and call[1]))
        if entry.get('outcome') != 'refused' and not permitted:
            raise Damage('OUTCOME_WITHOUT_DECISION')

# Keys, checkpoints and signatures: C2SP signed-note and tlog-checkpoint.
def data_of(text):
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        return b''
    return data if base64.b64encode(data).decode() == text else b''

def key_of(text):
    found = re.fullmatch(r'([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)\n?', text)
    data = data_of(found[3]) if found else b''
    if len(data) != 33 or data[0] != 1 or sha256(found[1].encode() + b'\n' + data)[:4].hex() != found[2]:
        return None
    return (found[1], found[2], data[1:])

def head_of(note):
    if any('\udc80' <= unit <= '\udcff' for unit in note):
        return None  # not UTF-8
    text, _, lines = note.rpartition('\n\n') if '\n\n' in note else (note[:-1], '', '')
    found = re.fullmatch(r'(\S+)\n(0|[1-9][0-9]{0,14})\n([A-Za-z0-9+/]{43}=)', text)
    signatures = [re.fullmatch(r'— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})', line) for line in lines[:-1].split('\n')] if lines else []
    if not found or not data_of(found[3]) or len(signatures) > 100 or any(not one or len(data_of(one[2])) < 5 for one in signatures):
        return None
    signed = [(one[1], data_of(one[2])) for one in signatures]
    return {'text': text + '\n', 'origin': found[1], 'size': int(found[2]), 'root': data_of(found[3]), 'signed': signed}

def signer_of(head, keys):
    found = [(key, verifies(key[2], head['text'].encode(), data[4:]))
             for name, data in head['signed'] for key in keys if (name, data[:4].hex()) == key[:2]]
    return 'forged' if any(not holds for _, holds in found) else found[0][0] if found else None

def notes_of(path, is_anchor):
    """Pairs of a line number and a head; a note that was never finished is left out, but of an anchor nothing is."""
    with open(path, 'rb') as file:
        text = file.read().decode('utf-8', 'surrogateescape')
    text = text.rstrip() + '\n\n' if is_anchor else text
    blocks, line, notes = text.split('\n\n'), 1, []
    if is_anchor and len(blocks) == 2:
        return [(1, head_of(blocks[0] + '\n'))]
    for at in range(0, len(blocks) - 2, 2):
        notes.append((line, head_of(blocks[at] + '\n\n' + blocks[at + 1] + '\n')))
        line += blocks[at].count('\n') + blocks[at + 1].count('\n') + 4
    return notes + [(line, None)] * (is_anchor and (len(blocks) % 2 == 0 or blocks[-1] != '' or not notes))

def refute_notes(name, notes, kind, log):
    before = 0
    for line, head in notes:
        signer = signer_of(head, log['keys']) if head else None
        names = [name for name, _ in head['signed']] or ['unsigned'] if head else []
        origins = [name + '/' + urllib.parse.quote(log['run'] or '', safe="!*'()") for name in names]
        is_ours = signer or not log['keys'] or (kind == 'ANCHOR' and (not log['given'] or names == ['unsigned']))
        what = ('MALFORMED' if not head else 'SIGNATURE' if signer == 'forged' else 'KEY' if not is_ours
                else 'ORIGIN' if log['run'] is not None and head['size'] and head['origin'] not in origins
                else 'ORDER' if kind == 'HEAD' and head['size'] < before else 'LONGER' if head['size'] > log['size']
                else 'MISMATCH' if log['roots'][head['size']] != head['root'] else None)
        if what:
            return {'ok': False, 'code': kind + '_' + what, 'line': line, 'where': name}
        before = head['size']

def refute_runs(runs, heads, keys, ended):
    """The code, and how many entries stand before the one that it is about."""
    known = dict.fromkeys(keys) or dict.fromkeys(signer for _, signer in runs if signer)
    every = set(keys) | {signer for _, signer in runs if signer}
    sizes = {key: max([-1] + [head['size'] for _, head in heads if head and signer_of(head, [key])]) for key in every}
    for index, signer in runs:
        if signer and sizes[signer] < index:
            return 'HEADS_MISSING', index
    covered = max([sizes[key] for key in keys] or [-1])
    unsigned = [0] if covered < 0 else [index for index, _ in runs if index > covered]
    if keys and unsigned:
        return 'UNSIGNED', unsigned[0]
    covered = max([sizes[key] for key in known] or [ended or 0])
    return ('END_UNSIGNED', covered) if ended and covered < ended else None

def is_torn(line, seq):
    begin = '{"v":1,"seq":%d,"time":"' % seq
    return begin.startswith(line[:len(begin)].decode('latin-1')) or not line.strip(b'\0')

def beginning_of(path):
    """What the first line says of the segment before, if it is one; and whether it is all, or no line is whole yet."""
    try:
        with open(path, 'rb') as file:
            line, rest = file.readline(64 * 2**20 + 1), file.read(1)
    except FileNotFoundError:
        return None, None
    if not line.endswith(b'\n'):
        return None, is_torn(line, 0)
    try:
        before = parse(line[:-1]).get('before')
    except Damage:
        before = None
    return before, bool(before) and not rest

def first_of(path):
    (before, bare), first = beginning_of(path), first_path_of(path)
    if before:
        return first or os.path.join(os.path.dirname(path), before['file'])
    return first if bare and first and os.path.isfile(first) else path

def verify(named, keys, anchors):
    named = os.path.abspath(named)
    first = first_of(named)
    try:
        found = verify_segments(first, named, keys, anchors)
    except FileNotFoundError as error:
        if first == named or error.filename != first:
            raise
        return {'ok': False, 'code': 'SEGMENT_MISSING', 'line': 1, 'where': None}
    if found.get('where') == named:
        found['where'] = None
    return found

def verify_segments(first, named, keys, anchors):
    try:
        heads = notes_of(first + '.heads', False)
    except FileNotFoundError:
        heads = []
    anchors = [(anchor, notes_of(anchor, True)) for anchor in anchors]
    wanted = {head['size'] for notes in [heads, *(notes for _, notes in anchors)] for _, head in notes if head}
    stack, calls, runs, size, origin, torn, ended = [], {}, [], 0, None, False, None
    order, starts = SegmentOrder(first), []

    def root():
        result = stack[-1] if stack else sha256(b'')
        for left in reversed(stack[:-1]):
            result = sha256(b'\1' + left + result)
        return result

    def damage(code, line):
        return {'ok': False, 'code': code, 'line': line, 'where': order.path}

    roots = {0: root()}
    while True:
        try:
            file = open(order.path, 'rb')
        except FileNotFoundError:
            if not starts:
                raise
            return {'ok': False, 'code': 'SEGMENT_MISSING', 'line': last['seq'] + 1, 'where': starts[-1][0]}
        starts.append((order.path, size))
        last, seq = None, 0
        with file:
            for line in file:
                if len(line) > 64 * 2**20:
                    return damage('LINE_TOO_LONG', seq + 1)
                if not line.endswith(b'\n'):
                    torn = order.next is None and is_torn(line, seq)
                    if not torn:
                        return damage('TRAILING_GARBAGE', seq + 1)
                    break
                try:
                    entry = parse(line[:-1])
                    follows(entry, last, calls, order, size)
                except Damage as found:
                    return damage(str(found), seq + 1)
                if entry['event'] == 'run':
                    runs.append((size, key_of(entry['signer']) if isinstance(entry.get('signer'), str) else None))
                if entry['event'] != 'segment':
                    ended = size + 1 if entry['event'] == 'end' else None
                leaf, rest, last, origin = sha256(b'\0' + bytes.fromhex(entry['hash'])), size, entry, origin or entry['run']
                while rest & 1:
                    leaf, rest = sha256(b'\1' + stack.pop() + leaf), rest >> 1
                stack.append(leaf)
                size, seq = size + 1, seq + 1
                if size in wanted:
                    roots[size] = root()
        if len(starts) > 1 and seq == 0:
            return damage('SEGMENT_OPENING', 1)
        if order.next is None:
            break
        order.begin()
    stray = segment_path(first, len(starts) + 1)
    before, bare = beginning_of(stray)
    unfinished = bool(bare) and (before is None or before['file'] == os.path.basename(order.path))
    if before and before['file'] == os.path.basename(order.path) and not bare:
        return damage('SEGMENT_UNCLOSED', seq + 1)
    known = keys or list(dict.fromkeys(key for _, key in runs if key))
    log = {'size': size, 'run': origin, 'roots': roots, 'keys': known, 'given': bool(keys)}
    refuted, about_runs = refute_notes(first + '.heads', heads, 'HEAD', log), refute_runs(runs, heads, keys, ended)
    if not refuted and about_runs:
        path, start = [(path, start) for path, start in starts if start <= about_runs[1]][-1]
        refuted = {'ok': False, 'code': about_runs[0], 'line': about_runs[1] - start + 1, 'where': path}
    for name, notes in anchors:
        refuted = refuted or refute_notes(name, notes, 'ANCHOR', log)
    if not refuted and named not in [path for path, _ in starts] + [stray] * unfinished:
        refuted = {'ok': False, 'code': 'SEGMENT_MISPLACED', 'line': 1, 'where': None}
    signed = heads[-1][1]['size'] if heads and not refuted else None
    trust = 'given' if keys else 'log' if known else 'nobody'
    return refuted or {'ok': True, 'entries': size, 'segments': len(starts), 'root': base64.b64encode(root()).decode(),
                       'torn': torn, 'unfinished': unfinished, 'signed': signed, 'trust': trust if heads else None}

def main(arguments):
    given = {'--key': [], '--anchor': [], None: []}
    while arguments:
        name = arguments.pop(0) if arguments[0] in given else None
        given[name].append(arguments.pop(0))
    (path,) = given[None]
    keys = [key_of(open(file, encoding='utf-8').read()) for file in given['--key']]
    if None in keys:
        raise ValueError('a key file holds no verifier key')
    found = verify(path, keys, given['--anchor'])
    print(json.dumps(found))
    return 0 if found['ok'] else 1

if __name__ == '__main__':
    try:
        sys.exit(main(sys.argv[1:]))
    except (OSError, ValueError, IndexError) as error:
        print('verify_log.py: %s' % error, file=sys.stderr)
        sys.exit(2)
