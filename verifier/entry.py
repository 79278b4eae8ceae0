"""A line of a decision log by itself: whether it is an entry, and its hash. Version 2 is hashed as it stands, 1 as RFC 8785."""
import decimal, hashlib, itertools, json, re

class Damage(Exception):
    """A code; and a file and a line, where it is not the line that was just read."""

def check(code, holds, *place):
    if not holds:
        raise Damage(code, *place)

sha256 = lambda data: hashlib.sha256(data).digest()
text = lambda form: lambda value: isinstance(value, str) and re.fullmatch(form, value, re.ASCII)
count = lambda value: isinstance(value, float) and value.is_integer() and 0 <= value < 2**53
has = lambda value, members: isinstance(value, dict) and all(holds(value.get(name)) for name, holds in members.items())

TIME, STRING, WORD = r'[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z', r'"(?:[^"\\]|\\.)*"', '"[a-z_]+"'
ANY, DIGEST, FILE = text('(?s:.*)'), text('[0-9a-f]{64}'), text(r'(?!\.\.?\Z)[^/\\\0]+')
ALL = {'seq': count, 'time': text(TIME), 'run': ANY, 'event': ANY, 'prev': DIGEST}
BEFORE = {'file': FILE, 'seq': count, 'size': count, 'hash': DIGEST}
HEAD = re.compile((r'(\{"prev":"[0-9a-f]{64}","v":2,"seq":(?:0|[1-9]\d{0,14}),"time":"%s","run":%s,"event":"([a-z_]+)"(?:,"call":%s)?'
    r'(?:,"decision":(?:null|%s))?(?:,"approved":(?:true|false))?(?:,"outcome":%s)?(?:,"code":%s)?)(?=[,}])(?!,"(?:call|decision|approved|outcome|code)":)'
    % (TIME, STRING, STRING, WORD, WORD, WORD)).encode(), re.DOTALL)
TOKEN = re.compile(rb'("(?:[^"\\]|\\.)*(?:"|\Z))([\0- ]*:)?|[\[{\]}]', re.DOTALL)
CALL = {'decision': {'call', 'decision'}, 'approval': {'call', 'approved'}, 'outcome': {'call', 'outcome'}}
EVENTS = {'run', 'policy', 'guard_changed', 'end', 'segment', *CALL}
KEYS = {'prev', 'v', 'seq', 'time', 'run', 'event', 'call', 'decision', 'approved', 'outcome', 'code'}

def head_of(line):
    """The head of a line of version 2, if it begins with one, closes what it opens, and says nothing of its head again."""
    found, depth = HEAD.match(line), 1
    try:
        line.decode()
        head = json.loads(found[1] + b'}')
        if head['event'] in EVENTS and CALL.get(head['event'], set()) <= set(head):
            for token in TOKEN.finditer(line, found.end()):
                if depth == 1 and token[1] and token[2] and json.loads(token[1].decode(), strict=False) in KEYS:
                    break
                depth += not token[1] and (1 if token[0] in b'[{' else -1)
                if depth == 0:
                    return head if token.end() == len(line) else None
    except (TypeError, ValueError):
        return None

def parse(line, *place):
    """The entry that a whole line is, its numbers as doubles."""
    def members(pairs):
        check('NO_ENTRY', len(dict(pairs)) == len(pairs), *place)
        return dict(pairs)
    try:
        brackets = re.sub(r'"(\\.|[^"\\])*("|$)', '', line.decode())
        depth = max(itertools.accumulate((one in '[{') - (one in ']}') for one in brackets), default=0)
        # NaN and Infinity are no JSON, and no `int`.
        entry = json.loads(line if depth <= 1000 else '', object_pairs_hook=members, parse_int=float, parse_constant=int)
    except ValueError:
        raise Damage('NO_ENTRY', *place)
    check('NO_ENTRY', has(entry, ALL) and repr(entry.get('v')) in ('1.0', '2.0') and entry['event'] in EVENTS, *place)
    check('NO_ENTRY', DIGEST(entry.get('hash')) if entry['v'] == 1 else head_of(line), *place)
    check('NO_ENTRY', entry['event'] not in CALL or ANY(entry.get('call')), *place)
    if entry['event'] == 'segment':
        # As a last line it names the file that follows, as a first line the one before.
        names = has(entry, {'next': FILE}) if 'next' in entry else has(entry.get('before'), BEFORE)
        check('NO_ENTRY', names and count(entry.get('number')) and entry['number'] and not {'next', 'before'} <= set(entry), *place)
    return entry

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
    try:
        return sha256(canonical({key: entry[key] for key in entry if key != 'hash'}).encode()).hex() == entry['hash']
    except ValueError:
        return False  # half a character, or a number beyond all bounds
