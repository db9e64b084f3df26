/** How many bytes at the end of a buffer are the beginning of a UTF-8 character that is not whole yet (0 to 3). */
export function incompleteTailLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0b1100_0000) === 0b1000_0000) continue;
    return back < characterLength(byte) ? back : 0;
  }
  return 0;
}

function characterLength(leadByte: number): number {
  if (leadByte >= 0b1111_0000) return 4;
  if (leadByte >= 0b1110_0000) return 3;
  return leadByte >= 0b1100_0000 ? 2 : 1;
}

/**
 * The text of one chunk of a log. A character that began in the chunk before (`before` holds that one's last bytes) is told here; one that goes on in the
 * next chunk is left to it, unless there will be none.
 */
export function textOfChunk(before: Uint8Array | null, data: Uint8Array, isLast: boolean): string {
  const carried = before ? before.subarray(before.length - incompleteTailLength(before)) : new Uint8Array();
  const bytes = Buffer.concat([carried, data]);
  const whole = isLast ? bytes : bytes.subarray(0, bytes.length - incompleteTailLength(bytes));
  return whole.toString('utf8');
}
