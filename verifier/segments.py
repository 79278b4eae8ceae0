"""The files of a decision log: `RUN.jsonl`, `RUN.0002.jsonl`, and so on."""
import os, re
from entry import Damage, check, parse

LONGEST = 64 * 2**20

def path_of(first, number):
    stem, end = re.fullmatch(r'(?s)(.*?)(\.jsonl)?', first).groups('')
    return '%s.%04d%s' % (stem, number, end)

def is_torn(line, seq, prev='0' * 64):
    """Whether this can be the beginning of a line, or bytes that were never filled."""
    heads = [b'{"prev":"%s","v":2,"seq":%d,"time":"' % (prev.encode(), seq), b'{"v":1,"seq":%d,"time":"' % seq]
    return any(head.startswith(line[:len(head)]) for head in heads) or not line.strip(b'\0')

def lines_of(file):
    for line in iter(lambda: file.readline(LONGEST + 1), b''):
        check('LINE_TOO_LONG', len(line) - line.endswith(b'\n') < LONGEST)
        yield line

def opening_of(path):
    """What a file says of the segment before it, if it does, and whether it says nothing else."""
    with open(path, 'rb') as file:
        line, rest = file.readline(LONGEST + 1), file.read(1)
    if not line.endswith(b'\n'):
        return None, is_torn(line, 0)
    try:
        entry = parse(line[:-1])
    except Damage:
        entry = {}
    return (entry['before'], not rest) if entry.get('event') == 'segment' and 'before' in entry else (None, False)

def first_of(named):
    """The first segment of the log that a file is one of."""
    before, is_bare = opening_of(named)
    found = re.fullmatch(r'(?s)(.*[^/])\.(\d{4,15})(\.jsonl)?', named, re.ASCII)
    first = found and found[1] + (found[3] or '')
    is_later = found and int(found[2]) > 1 and path_of(first, int(found[2])) == named
    if is_later and (before or is_bare and os.path.exists(first)):
        return first
    return os.path.join(os.path.dirname(named), before['file']) if before else named

def check_stray(first, number, last):
    """What may stand behind the last segment: one that a killed writer had begun, and nothing else. Gives its file."""
    path = path_of(first, number)
    before, is_bare = opening_of(path) if os.path.exists(path) else (None, False)
    is_next = not before or before['file'] == os.path.basename(last)
    check('SEGMENT_UNCLOSED', not before or is_bare or not is_next)
    return path if is_bare and is_next else None
