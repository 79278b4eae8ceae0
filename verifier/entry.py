"""A line of a decision log by itself: its head, all of it, and the hash that version 1 has in it."""
import decimal, hashlib, itertools, json, re

# The members of a head, as JSON: those of all entries, and those that some have.
STRING, WORD, DIGEST, COUNT = r'"(?:[^"\\]|\\.)*"', '"[a-z_]+"', '"[0-9a-f]{64}"', r'(?:0|[1-9]\d{0,14})'
ALL = {'prev': DIGEST, 'v': '2', 'seq': COUNT, 'time': r'"[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"',
       'run': STRING, 'event': '"(?:run|policy|decision|approval|outcome|guard_changed|end|segment)"'}
OWN = {'call': STRING, 'decision': f'(?:null|{WORD})', 'approved': '(?:true|false)',
       'outcome': WORD, 'code': WORD}
# An event that is about a call has, besides, this member of its own.
CALL = {'decision': 'decision', 'approval': 'approved', 'outcome': 'outcome'}
# In the folder of the log.
FILE = r'"(?!\.\.?")(?:[^"\\/]|\\(?!\\|u0000).)+"'
BEFORE = {'file': FILE, 'seq': COUNT, 'size': COUNT, 'hash': DIGEST}

HEAD = ','.join(f'"{key}":{ALL[key]}' for key in ALL) + ''.join(f'(?:,"{key}":{OWN[key]})?' for key in OWN)
HEAD = re.compile('{' + HEAD + '(?=[,}])', re.ASCII | re.DOTALL)
TOKEN = re.compile(r'("(?:[^"\\]|\\.)*(?:"|\Z))([\0- ]*:)?|[\[{\]}]', re.DOTALL)

def sha256(*parts):
    return hashlib.sha256(b''.join(parts)).digest()

def head_of(line):
    """What a line of version 2 begins with, if it is closed at its end and repeats no key of this."""
    try:
        text, depth = line.decode(), 1
        found = HEAD.match(text)
        head = json.loads(found[0] + '}')
        for token in TOKEN.finditer(text, found.end()):
            # As JSON, a key with an escape has no control characters.
            if depth == 1 and token[2] and json.loads(token[1], strict='\\' in token[1]) in {**ALL, **OWN}:
                return None
            depth += {'[': 1, '{': 1, ']': -1, '}': -1}.get(token[0], 0)
            if depth == 0:
                needed = {'call', CALL[head['event']]} if head['event'] in CALL else set()
                return head if token.end() == len(text) and needed <= set(head) else None
    except (TypeError, ValueError):
        return None

def has(value, members):
    # Numbers were read as `float`.
    fits = lambda key: re.fullmatch(members[key], re.sub(r'\.0$', '', json.dumps(value.get(key))), re.DOTALL)
    return isinstance(value, dict) and all(map(fits, members))

def members_of(pairs):
    if len(dict(pairs)) < len(pairs):
        raise ValueError('a key stands twice')
    return dict(sorted(pairs, key=lambda pair: pair[0].encode('utf-16-be', 'surrogatepass')))

def entry_of(line):
    """The entry that a whole line is, its members in the order of RFC 8785; nothing for another line."""
    try:
        text = line.decode()
        brackets = re.sub(r'"(\\.|[^"\\])*("|$)', '', text)
        depth = max(itertools.accumulate((c in '[{') - (c in ']}') for c in brackets), default=0)
        # NaN and Infinity are no JSON, and no `int`. -0 is 0.
        number = lambda digits: float(digits) + 0
        entry = json.loads(text if depth <= 1000 else '', object_pairs_hook=members_of,
                           parse_int=number, parse_float=number, parse_constant=int)
    except ValueError:
        return None
    own = {'call': STRING} if isinstance(entry, dict) and entry.get('event') in [*CALL] else {}
    holds = has(entry, {**ALL, **own, 'v': '1', 'hash': DIGEST}) or head_of(line)
    if holds and entry['event'] == 'segment':
        # As a last line it names the file that follows, as a first line the one before.
        holds = has(entry, {'number': r'[1-9]\d{0,14}'}) and ('next' in entry) != ('before' in entry) and (
            has(entry, {'next': FILE}) or has(entry.get('before'), BEFORE))
    return entry if holds else None

def is_hashed(entry):
    """Whether an entry of version 1 holds the hash of its canonical form (RFC 8785)."""
    number = lambda exact: format(exact, 'f' if -7 < exact.adjusted() < 21 else 'e')
    canonical = lambda found: found[1] or number(decimal.Decimal(found[0]).normalize())
    try:
        rest = {key: entry[key] for key in entry if key != 'hash'}
        text = json.dumps(rest, ensure_ascii=False, allow_nan=False, separators=(',', ':'))
        text = re.sub(f'({STRING})' + r'|-?\d[\d.e+-]*', canonical, text)
        return sha256(text.encode()).hex() == entry['hash']
    except ValueError:
        return False  # half a character, or a number beyond all bounds
