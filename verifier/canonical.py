"""The canonical form of JSON: RFC 8785. Numbers are doubles, written as ECMAScript writes them."""
import json

def number(value):
    if value != value or value in (float('inf'), float('-inf')):
        raise ValueError('no canonical form')
    if value == 0:
        return '0'
    sign = '-' * (value < 0)
    mantissa, _, exponent = repr(abs(value)).partition('e')
    whole, _, part = mantissa.partition('.')
    digits, point = (whole + part).lstrip('0'), len(whole) + int(exponent or 0)
    point -= len(whole + part) - len(digits)
    digits = digits.rstrip('0')
    if len(digits) <= point <= 21:
        return sign + digits + '0' * (point - len(digits))
    if 0 < point <= 21:
        return sign + digits[:point] + '.' + digits[point:]
    if -6 < point <= 0:
        return sign + '0.' + '0' * -point + digits
    return sign + digits[0] + '.' * (len(digits) > 1) + digits[1:] + 'e{:+d}'.format(point - 1)

def canonical(value):
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode('utf-16-be', 'surrogatepass'))
        return '{' + ','.join(canonical(key) + ':' + canonical(value[key]) for key in keys) + '}'
    if isinstance(value, list):
        return '[' + ','.join(map(canonical, value)) + ']'
    if isinstance(value, float):
        return number(value)
    text = json.dumps(value, ensure_ascii=False)
    text.encode('utf-8')  # refuses half a character
    return text
