"""Ed25519 signatures, checked: RFC 8032, 5.1, with nothing but the standard library. Slow, and nothing here is secret."""
import hashlib

# Points are (X, Y, Z, T): x = X/Z, y = Y/Z, xy = T/Z.
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P

def add(a, b):
    e, f = (a[1] - a[0]) * (b[1] - b[0]), (a[1] + a[0]) * (b[1] + b[0])
    g, h = 2 * a[3] * b[3] * D, 2 * a[2] * b[2]
    return ((f - e) * (h - g) % P, (h + g) * (f + e) % P, (h - g) * (h + g) % P, (f - e) * (f + e) % P)

def times(factor, point):
    result = (0, 1, 1, 0)
    while factor:
        if factor & 1:
            result = add(result, point)
        point, factor = add(point, point), factor >> 1
    return result

def point_of(data):
    number = int.from_bytes(data, 'little')
    y, sign = number & (2**255 - 1), number >> 255
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        return None
    x = P - x if x & 1 != sign else x
    return (x, y, 1, x * y % P)

BASE = point_of((4 * pow(5, P - 2, P) % P).to_bytes(32, 'little'))

def verifies(key, text, signature):
    point, s = point_of(key), int.from_bytes(signature[32:], 'little')
    if point is None or len(signature) != 64 or s >= L:
        return False
    digest = int.from_bytes(hashlib.sha512(signature[:32] + key + text).digest(), 'little') % L
    x, y, z, _ = add(times(s, BASE), times(L - digest, point))
    x, y = x * pow(z, P - 2, P) % P, y * pow(z, P - 2, P) % P
    return (y | (x & 1) << 255).to_bytes(32, 'little') == signature[:32]
