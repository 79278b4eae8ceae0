"""A line of a decision log by itself: whether it is an entry, and its hash."""
import decimal, hashlib, itertools, json, re

sha256 = lambda data: hashlib.sha256(data).digest()
text = lambda form: lambda value: isinstance(value, str) and re.fullmatch(form, value, re.ASCII)
count = lambda value: isinstance(value, float) and value.is_integer() and 0 <= value < 2**53
has = lambda value, members: isinstance(value, dict) and all(holds(value.get(key)) for key, holds in members.items())

TIME, STRING, WORD = r'[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z', r'"(?:[^"\\]|\\.)*"', '"[a-z_]+"'
ANY, DIGEST, FILE = text('(?s:.*)'), text('[0-9a-f]{64}'), text(r'(?!\.\.?\Z)[^/\\\0]+')
ALL = {'seq': count, 'time': text(TIME), 'run': ANY, 'event': ANY, 'prev': DIGEST}
BEFORE = {'file': FILE, 'seq': count, 'size': count, 'hash': DIGEST}
OWN = {'call': STRING, 'decision': 'null|' + WORD, 'approved': 'true|false', 'outcome': WORD, 'code': WORD}
HEAD = re.compile((r'(\{"prev":"[0-9a-f]{64}","v":2,"seq":(?:0|[1-9]\d{0,14}),"time":"%s","run":%s,"event":"[a-z_]+"%s)(?=[,}])'
    % (TIME, STRING, ''.join('(?:,"%s":(?:%s))?' % one for one in OWN.items()))).encode(), re.DOTALL)
TOKEN = re.compile(rb'("(?:[^"\\]|\\.)*(?:"|\Z))([\0- ]*:)?|[\[{\]}]', re.DOTALL)
CALL = {'decision': {'call', 'decision'}, 'approval': {'call', 'approved'}, 'outcome': {'call', 'outcome'}}
EVENTS = {'run', 'policy', 'guard_changed', 'end', 'segment', *CALL}

def head_of(line):
    """The head of a line of version 2, if it begins with one, closes what it opens, and says nothing of its head again."""
    found, depth = HEAD.match(line), 1
    try:
        line.decode()
        head = json.loads(found[1] + b'}')
        if head['event'] in EVENTS and CALL.get(head['event'], set()) <= set(head):
            for token in TOKEN.finditer(line, found.end()):
                if depth == 1 and token[2] and json.loads(token[1].decode(), strict=False) in {*ALL, 'v', *OWN}:
                    break
                depth += {b'[': 1, b'{': 1, b']': -1, b'}': -1}.get(token[0], 0)
                if depth == 0:
                    return head if token.end() == len(line) else None
    except (TypeError, ValueError):
        return None

def members_of(pairs):
    if len(dict(pairs)) < len(pairs):
        raise ValueError('a key stands twice')
    return dict(pairs)

def entry_of(line):
    """The entry that a whole line is, its numbers as doubles; nothing for another line."""
    try:
        brackets = re.sub(r'"(\\.|[^"\\])*("|$)', '', line.decode())
        depth = max(itertools.accumulate((one in '[{') - (one in ']}') for one in brackets), default=0)
        # NaN and Infinity are no JSON, and no `int`.
        entry = json.loads(line.decode() if depth <= 1000 else '', object_pairs_hook=members_of, parse_int=float, parse_constant=int)
    except ValueError:
        return None
    holds = has(entry, ALL) and repr(entry.get('v')) in ('1.0', '2.0') and entry['event'] in EVENTS
    holds = holds and (DIGEST(entry.get('hash')) if entry['v'] == 1 else head_of(line))
    if holds and entry['event'] == 'segment':
        # As a last line it names the file that follows, as a first line the one before.
        holds = has(entry, {'next': FILE}) if 'next' in entry else has(entry.get('before'), BEFORE)
        holds = holds and count(entry.get('number')) and entry['number'] and not {'next', 'before'} <= set(entry)
    return entry if holds and (entry['event'] not in CALL or ANY(entry.get('call'))) else None

def canonical(value):
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode('utf-16-be', 'surrogatepass'))
        return '{%s}' % ','.join(canonical(key) + ':' + canonical(value[key]) for key in keys)
    if isinstance(value, list):
        return '[%s]' % ','.join(map(canonical, value))
    if isinstance(value, float):
        exact = decimal.Decimal(json.dumps(value, allow_nan=False)).normalize()
        return format(exact, 'f' if -7 < exact.adjusted() < 21 else 'e') if exact else '0'
    return json.dumps(value, ensure_ascii=False)

def is_hashed(entry):
    """Whether an entry of version 1 holds its own hash, that of its canonical form (RFC 8785)."""
    try:
        return sha256(canonical({key: entry[key] for key in entry if key != 'hash'}).encode()).hex() == entry['hash']
    except ValueError:
        return False  # half a character, or a number beyond all bounds
