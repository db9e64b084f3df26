/**
 * Length of the longest prefix that does not end inside a UTF-8 character, so that a chunk sent while the process still writes shows whole
 * characters. Bytes that are no UTF-8 at all are passed through.
 */
export function completeUtf8Length(bytes: Uint8Array): number {
  const end = bytes.length;
  for (let back = 1; back <= Math.min(3, end); back += 1) {
    const byte = bytes[end - back]!;
    if (byte < 0x80) {
      return end;
    }
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed > back ? end - back : end;
    }
  }
  return end;
}
