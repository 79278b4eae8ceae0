"""The check of an Ed25519 signature (RFC 8032, 5.1) with integers alone. Nothing here is secret."""
import functools, hashlib

P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P

def add(a, b):
    """The sum of two points (X, Y, Z, T), where x = X/Z, y = Y/Z and xy = T/Z."""
    e, f = (a[1] - a[0]) * (b[1] - b[0]), (a[1] + a[0]) * (b[1] + b[0])
    g, h = 2 * a[3] * b[3] * D, 2 * a[2] * b[2]
    return (f - e) * (h - g) % P, (h + g) * (f + e) % P, (h - g) * (h + g) % P, (f - e) * (f + e) % P

def times(factor, point):
    doubled = times(factor >> 1, add(point, point)) if factor > 1 else (0, 1, 1, 0)
    return add(doubled, point) if factor & 1 else doubled

def point_of(data):
    y = int.from_bytes(data, 'little') % 2**255
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    root = pow(square, (P + 3) // 8, P)
    x = root if root * root % P == square else root * pow(2, (P - 1) // 4, P) % P
    x = x if x & 1 == data[31] >> 7 else P - x
    return (x, y, 1, x * y % P) if x * x % P == square else None

@functools.lru_cache(None)
def verifies(key, text, signature):
    point, s = point_of(key), int.from_bytes(signature[32:], 'little')
    if point is None or len(signature) != 64 or s >= L:
        return False
    factor = int.from_bytes(hashlib.sha512(signature[:32] + key + text).digest(), 'little') % L
    base = point_of((4 * pow(5, -1, P) % P).to_bytes(32, 'little'))
    # 8 L times any point is nothing, also where the key is no multiple of the base.
    x, y, z, _ = add(times(s, base), times(8 * L - factor, point))
    x, y = x * pow(z, -1, P) % P, y * pow(z, -1, P) % P
    return (y | (x & 1) << 255).to_bytes(32, 'little') == signature[:32]
