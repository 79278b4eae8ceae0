"""A line of a decision log by itself: whether it is an entry, and the form in which it is hashed (RFC 8785)."""
import decimal, hashlib, itertools, json, re

class Damage(Exception):
    """A code; and a file and a line, where it is not the line that was just read."""

def check(code, holds, *place):
    if not holds:
        raise Damage(code, *place)

text = lambda form: lambda value: isinstance(value, str) and re.fullmatch(form, value, re.ASCII)
count = lambda value: isinstance(value, float) and value.is_integer() and 0 <= value < 2**53
has = lambda value, members: isinstance(value, dict) and all(holds(value.get(name)) for name, holds in members.items())

ANY, DIGEST, FILE = text('(?s:.*)'), text('[0-9a-f]{64}'), text(r'(?!\.\.?\Z)[^/\\\0]+')
CALL = {'call': ANY}
OWN = {'run': {}, 'policy': {}, 'decision': CALL, 'approval': CALL, 'outcome': CALL, 'guard_changed': {}, 'end': {}, 'segment': {'number': count}}
ALL = {'seq': count, 'time': text(r'[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z'), 'run': ANY, 'event': ANY,
       'prev': DIGEST, 'hash': DIGEST}
BEFORE = {'file': FILE, 'seq': count, 'size': count, 'hash': DIGEST}

def parse(line):
    """The entry that a line is, its numbers as doubles."""
    try:
        line = line.decode()
    except UnicodeDecodeError:
        raise Damage('BAD_ENCODING')
    if line.count('[') + line.count('{') > 1000:
        brackets = re.sub(r'"(\\.|[^"\\])*("|$)', '', line)
        check('BAD_JSON', max(itertools.accumulate((one in '[{') - (one in ']}') for one in brackets)) <= 1000)
    doubled = []
    def members(pairs):
        doubled.extend(pairs[len(dict(pairs)):])
        return dict(pairs)
    try:
        # NaN and Infinity are no JSON, and no `int`.
        entry = json.loads(line, object_pairs_hook=members, parse_int=float, parse_constant=int)
    except ValueError as error:
        raise Damage('TRAILING_GARBAGE' if 'Extra data' in str(error) and line.lstrip()[0] in '{[' else 'BAD_JSON')
    check('BAD_JSON', isinstance(entry, dict))
    check('DUPLICATE_KEY', not doubled)
    check('WRONG_VERSION', repr(entry.get('v')) == '1.0')
    check('BAD_FIELD', has(entry, ALL))
    check('UNKNOWN_EVENT', entry['event'] in OWN)
    check('BAD_FIELD', has(entry, OWN[entry['event']]))
    if entry['event'] == 'segment':
        # As a last line it names the file that follows, as a first line the one before.
        names = has(entry, {'next': FILE}) if 'next' in entry else has(entry.get('before'), BEFORE)
        check('BAD_FIELD', names and entry['number'] > 0 and not {'next', 'before'} <= set(entry))
    return entry

def number(value):
    exact = decimal.Decimal(json.dumps(value, allow_nan=False)).normalize()
    return format(exact, 'f' if -7 < exact.adjusted() < 21 else 'e') if exact else '0'

def canonical(value):
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode('utf-16-be', 'surrogatepass'))
        return '{%s}' % ','.join(canonical(key) + ':' + canonical(value[key]) for key in keys)
    if isinstance(value, list):
        return '[%s]' % ','.join(map(canonical, value))
    return number(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)

def is_hashed(entry):
    try:
        form = canonical({key: entry[key] for key in entry if key != 'hash'}).encode()
    except ValueError:
        return False  # half a character, or a number beyond all bounds
    return hashlib.sha256(form).hexdigest() == entry['hash']
