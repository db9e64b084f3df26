/** A reproducible stream of numbers, uniform in [0, 1). */
export interface RandomSource {
  next(): number;
}

const goldenGamma = 0x9e3779b9;

/** The finaliser of MurmurHash3: every input bit reaches every output bit, a bijection on uint32. */
function mix(value: number): number {
  let hash = value >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A uint32 from a text (FNV-1a over UTF-16 code units, then mixed) or from a number. */
export function seedNumber(seed: string | number): number {
  if (typeof seed === 'number') return mix(seed);
  let hash = 0x811c9dc5;
  for (let index = 0; index < seed.length; index += 1) hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193);
  return mix(hash);
}

/** Mulberry32 (Tommy Ettinger, public domain). */
function mulberry32(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word = (word + Math.imul(word ^ (word >>> 7), word | 61)) ^ word;
    return (word ^ (word >>> 14)) >>> 0;
  };
}

/**
 * The stream that belongs to (seed, ordinal). Streams of different ordinals are independent of how much was drawn from the others, so the
 * k-th decision of a turn depends on its input alone. 53 bits per number.
 */
export function seededRandom(seed: string | number, ordinal = 0): RandomSource {
  const word = mulberry32(mix(seedNumber(seed) + Math.imul(ordinal + 1, goldenGamma)));
  return { next: () => (word() * 2 ** 21 + (word() >>> 11)) / 2 ** 53 };
}
