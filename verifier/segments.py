"""The segments of a decision log: which file is which, and whether they follow one another."""
import os, re

def segment_path(first, number):
    if number == 1:
        return first
    stem, end = (first[:-6], '.jsonl') if first.endswith('.jsonl') else (first, '')
    return '%s.%04d%s' % (stem, number, end)

def first_path_of(path):
    """The first segment, for a file that is named as a later one."""
    found = re.fullmatch(r'(?s)(.*[^/])\.([0-9]{4,15})(\.jsonl)?', path)
    first = found[1] + (found[3] or '') if found else None
    return first if found and int(found[2]) > 1 and segment_path(first, int(found[2])) == path else None

def is_count(value):
    return isinstance(value, float) and 0 <= value <= 2**53 - 1 and value == int(value)

def is_name(value):
    return isinstance(value, str) and value not in ('', '.', '..') and not re.search(r'[/\\\0]', value)

def is_segment(entry):
    """Either names the segment after it, as a last line, or the one before it, as a first line."""
    number, before = entry.get('number'), entry.get('before')
    if not is_count(number) or number == 0:
        return False
    if 'next' in entry:
        return 'before' not in entry and is_name(entry['next'])
    return (isinstance(before, dict) and is_name(before.get('file')) and is_count(before.get('seq'))
            and is_count(before.get('size')) and isinstance(before.get('hash'), str)
            and bool(re.fullmatch(r'[0-9a-f]{64}', before['hash'])))

class SegmentOrder:
    def __init__(self, first):
        self.path, self.before, self.number, self.next = first, None, 1, None
        self.last, self.beginnings = None, set()

    def begin(self):
        self.before, self.path = os.path.basename(self.path), os.path.join(os.path.dirname(self.path), self.next)
        self.number, self.next = self.number + 1, None

    def accept(self, entry, size):
        """The code of what is wrong with the next entry, if something is; `size` entries stand before it in all files."""
        is_segment_line = entry['event'] == 'segment'
        before = entry['before'] if is_segment_line and 'before' in entry else None
        if self.next is not None:
            return 'SEGMENT_MISPLACED'
        if entry['seq'] == 0:
            if entry['hash'] in self.beginnings:
                return 'SEGMENT_DOUBLED'
            self.beginnings.add(entry['hash'])
            if self.number > 1 and not before:
                return 'SEGMENT_OPENING'
            if before and entry['number'] != self.number:
                return 'SEGMENT_ORDER'
            if before and (not self.last or entry['run'] != self.last['run'] or before['file'] != self.before
                           or before['size'] != size or any(before[key] != self.last[key] for key in ('seq', 'hash'))):
                return 'SEGMENT_MISMATCH'
        elif before:
            return 'SEGMENT_MISPLACED'
        self.last = entry
        if is_segment_line and not before:
            if entry['number'] != self.number:
                return 'SEGMENT_ORDER'
            self.next = entry['next']
        return None
