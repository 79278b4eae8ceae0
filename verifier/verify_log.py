#!/usr/bin/env python3
"""A second verifier of decision logs: chain, segments, order of work, tree heads, anchors.

usage (Python 3.8 alone): verify_log.py [--key FILE]... [--anchor FILE]... LOG...
A line of JSON for each log; exit code 0: all hold, 1: one does not, 2: one cannot be read.
"""
import base64, functools, getopt, json, os, pathlib, re, sys, urllib.parse
from entry import CALL, entry_of, head_of, is_hashed, sha256
from notes import key_of, notes_of, signer_of

sys.setrecursionlimit(5000)
ZEROS, LONGEST = '0' * 64, 2**26
bytes_of = lambda path: pathlib.Path(path).read_bytes()

def is_there(path):
    """Only a missing file is absent: a loop of links, or a closed folder, hides what may be there."""
    try:
        return bool(os.stat(path))
    except FileNotFoundError:
        return False

def opened(path):
    """A file beside a log comes from its writer, and a pipe would never end."""
    if is_there(path) and not os.path.isfile(path):
        raise OSError('%s is not a regular file' % path)
    return open(path, 'rb')

class Damage(Exception):
    """A code; and a file and a line, where it is not the line after the last one that was taken."""

def check(code, holds, *place):
    if not holds:
        raise Damage(code, *place)
    return holds

def path_of(first, number):
    stem, end = re.fullmatch(r'(?s)(.*?)(\.jsonl)?', first).groups('')
    return '%s.%04d%s' % (stem, number, end)

def is_torn(line, seq=0, prev=ZEROS):
    """Whether this can be the beginning of a line, or bytes that were never filled."""
    heads = ['{"prev":"%s","v":2,"seq":%d,"time":"' % (prev, seq), '{"v":1,"seq":%d,"time":"' % seq]
    return any(head.encode().startswith(line[:len(head)]) for head in heads) or not line.strip(b'\0')

def opening_of(path):
    """What a file says of the segment before it, if it does, and whether it says nothing else."""
    with opened(path) as file:
        line, rest = file.readline(LONGEST + 1), file.read(1)
    if not line.endswith(b'\n'):
        return None, not rest and is_torn(line)
    entry = entry_of(line[:-1]) or {}
    before = entry.get('before') if entry.get('event') == 'segment' else None
    return before, bool(before) and not rest

def first_of(named):
    """The first segment of the log that a file is one of."""
    before, is_bare = opening_of(named)
    found = re.fullmatch(r'(?s)(.*[^/])\.(\d{4,15})(\.jsonl)?', named, re.ASCII)
    first = found and found[1] + (found[3] or '')
    is_later = found and int(found[2]) > 1 and path_of(first, int(found[2])) == named
    if is_later and (before or is_bare and is_there(first)):
        return first
    return os.path.join(os.path.dirname(named), before['file']) if before else named

class Log:
    """What the entries of all segments come to, from the first one on."""
    def __init__(self, first):
        self.first, self.path, self.next = first, first, os.path.basename(first)
        self.starts, self.openings, self.decisions, self.approved, self.runs = [], set(), {}, {}, []
        self.size, self.seq, self.last, self.ended, self.torn = 0, 0, {}, 0, False
        self.run, self.tree, self.roots = None, [], {0: sha256()}

    def place_of(self, index):
        return [(path, index - start + 1) for path, start in self.starts if start <= index][-1]

    def read(self, wanted):
        """Takes all segments, and keeps the roots of the tree at the sizes that are wanted."""
        while self.next is not None:
            path, line = os.path.join(os.path.dirname(self.first), self.next), None
            check('SEGMENT_MISSING', is_there(path), self.path, self.seq)
            self.path, self.seq, self.next, self.prev = path, 0, None, ZEROS
            self.starts.append((path, self.size))
            with opened(path) as file:
                for text in iter(lambda: file.readline(LONGEST + 1), b''):
                    check('LINE_TOO_LONG', len(text.rstrip(b'\n')) < LONGEST)
                    self.torn = not text.endswith(b'\n')
                    check('NO_ENTRY', not self.torn or not self.next and is_torn(text, self.seq, self.prev))
                    if not self.torn:
                        line = text[:-1]
                        self.accept(line)
                    if self.size in wanted:
                        self.roots[self.size] = self.root()
            # No line follows that holds its hash, so at least it can be read.
            check('NO_ENTRY', line is None or entry_of(line), path, self.seq)
            check('SEGMENT_OPENING', self.seq or len(self.starts) == 1)

    def accept(self, line):
        last, entry = self.last, head_of(line)
        if not entry or entry['event'] in ('run', 'segment'):
            entry = check('NO_ENTRY', entry_of(line))
        event, is_old = entry['event'], entry['v'] == 1
        check('NO_ENTRY', not is_old or last.get('v') != 2)
        check('SEQ_GAP', entry['seq'] == self.seq)
        check('RUN_CHANGED', self.seq == 0 or event == 'run' or entry['run'] == last['run'])
        # A line of version 1 knows the line before it by the hash in it.
        prev = last['hash'] if is_old and self.seq else self.prev
        check('PREV_MISMATCH' if self.seq else 'FIRST_PREV', entry['prev'] == prev)
        check('HASH_MISMATCH', not is_old or is_hashed(entry))
        self.prev = sha256(line).hex()
        entry['hash'] = entry['hash'] if is_old else self.prev
        self.accept_segment(entry, *(event == 'segment' and entry.get(key) for key in ('before', 'next')))
        if event in CALL:
            self.accept_call(entry, event, entry['call'])
        if event == 'run':
            self.runs.append((self.size, key_of(entry.get('signer'))))
        self.run = self.run if last else entry['run']
        self.last, self.seq, self.size = entry, self.seq + 1, self.size + 1
        self.ended = self.ended if event == 'segment' else self.size if event == 'end' else 0
        # RFC 6962. Kept are the roots of the full parts of the tree, one for each bit of the size.
        node, size = sha256(b'\0', bytes.fromhex(entry['hash'])), self.size
        while size % 2 == 0:
            node, size = sha256(b'\1', self.tree.pop(), node), size // 2
        self.tree.append(node)

    def root(self):
        return functools.reduce(lambda right, left: sha256(b'\1', left, right), self.tree[::-1] or [sha256()])

    def accept_segment(self, entry, before, following):
        """Its last line names the next file; its first line the file before, and where that ended."""
        number, last = len(self.starts), self.last
        check('SEGMENT_MISPLACED', not self.next and not (before and self.seq))
        check('SEGMENT_DOUBLED', self.seq or entry['hash'] not in self.openings)
        check('SEGMENT_OPENING', self.seq or before or number == 1)
        check('SEGMENT_ORDER', not (before or following) or entry['number'] == number)
        if before:
            end = {'file': os.path.basename(self.starts[-2:][0][0]), 'size': self.size}
            is_next = {**end, 'seq': last.get('seq'), 'hash': last.get('hash')}.items() <= before.items()
            check('SEGMENT_MISMATCH', entry['run'] == last.get('run') and is_next)
        self.openings |= set() if self.seq else {entry['hash']}
        self.next = following or None

    def accept_call(self, entry, event, call):
        """Nothing runs but what was permitted, each time: by a decision, or by an answer to one."""
        if event == 'decision':
            self.decisions[call] = None if isinstance(entry.get('code'), str) else entry.get('decision')
        elif event == 'approval' and call in self.decisions:
            self.approved[call] = entry.get('approved') is True
        elif event == 'outcome':
            decision, is_approved = self.decisions.pop(call, None), self.approved.pop(call, False)
            permits = decision == 'pre_approved' or decision == 'needs_approval' and is_approved
            check('OUTCOME_WITHOUT_DECISION', permits or entry.get('outcome') == 'refused')

def check_notes(kind, path, notes, log, keys, is_given):
    # Half a character has no bytes of its own.
    run, before = re.sub('[\ud800-\udfff]', '\ufffd', log.run or ''), 0
    after = '/' + urllib.parse.quote(run, safe="!*'()")
    for line, head in notes:
        say = lambda code, holds: check(kind + code, holds, path, line)
        say('_MALFORMED', head)
        signer, names = signer_of(head, keys), [name for name, _ in head.signatures]
        say('_SIGNATURE', signer != 'forged')
        say('_KEY', signer or not keys or kind == 'ANCHOR' and not (is_given and names))
        origins = [name + after for name in names or ['unsigned']]
        say('_ORIGIN', head.size == 0 or log.run is None or head.origin in origins)
        say('_ORDER', kind == 'ANCHOR' or before <= head.size)
        say('_LONGER', head.size <= log.size)
        say('_MISMATCH', log.roots[head.size] == head.root)
        before = head.size

def check_runs(log, heads, keys, is_given):
    """A run that says so, or has to be, was signed when it began; so was the end, if anything was."""
    def covered(key):
        return max((head.size for _, head in heads if signer_of(head, [key]) == key), default=-1)
    most = max(map(covered, keys), default=-1)
    for index, signer in log.runs:
        check('HEADS_MISSING', not signer or covered(signer) >= index, *log.place_of(index))
    for index in [0, *(index for index, _ in log.runs)]:
        check('UNSIGNED', not is_given or most >= index, *log.place_of(index))
    check('END_UNSIGNED', not keys or most >= log.ended, *log.place_of(max(most, 0)))

def verify(named, given, anchors):
    """What holds of a log, by any of its segments; or the first damage, and where it is."""
    log = Log(first_of(named))
    try:
        beside = log.first + '.heads'
        heads = notes_of(opened(beside).read()) if is_there(beside) else []
        kept = [(path, notes_of(bytes_of(path), True)) for path in anchors]
        check('SEGMENT_MISSING', log.first == named or is_there(log.first), named, 1)
        log.read({head.size for notes in [heads, *dict(kept).values()] for _, head in notes if head})
        # Behind the last segment may stand one that a killed writer had begun, and nothing else.
        stray = path_of(log.first, len(log.starts) + 1)
        before, is_bare = opening_of(stray) if is_there(stray) else (None, False)
        is_next = not before or before['file'] == os.path.basename(log.path)
        check('SEGMENT_UNCLOSED', not before or is_bare or not is_next)
        keys = given or list(dict.fromkeys(signer for _, signer in log.runs if signer))
        check_notes('HEAD', beside, heads, log, keys, bool(given))
        check_runs(log, heads, keys, bool(given))
        for path, notes in kept:
            check_notes('ANCHOR', path, notes, log, keys, bool(given))
        stray = stray if is_bare and is_next else None
        check('SEGMENT_MISPLACED', named in [stray, *(path for path, _ in log.starts)], named, 1)
    except Damage as damage:
        code, path, line = (*damage.args, log.path, log.seq + 1)[:3]
        return {'ok': False, 'code': code, 'file': path, 'line': line}
    return {'ok': True, 'entries': log.size, 'segments': len(log.starts),
            'root': base64.b64encode(log.root()).decode(), 'torn': log.torn,
            'unfinished': stray is not None, 'signed': heads[-1][1].size if heads else None,
            'trust': None if not heads else 'given' if given else 'log' if keys else 'nobody'}

def main(arguments):
    options, logs = getopt.gnu_getopt(arguments, '', ['key=', 'anchor='])
    keys = [key_of(bytes_of(path).decode()) for name, path in options if name == '--key']
    anchors = [path for name, path in options if name == '--anchor']
    if None in keys or not logs:
        raise ValueError('a log, and verifier keys, are needed')
    found = [verify(os.path.abspath(log), keys, anchors) for log in logs]
    print(*map(json.dumps, found), sep='\n')
    return 0 if all(one['ok'] for one in found) else 1

if __name__ == '__main__':
    try:
        sys.exit(main(sys.argv[1:]))
    except (MemoryError, OSError, ValueError, getopt.GetoptError) as error:
        sys.exit(print('verify_log.py: %s' % (str(error) or repr(error)), file=sys.stderr) or 2)
