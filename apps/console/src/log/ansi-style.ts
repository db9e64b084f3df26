/** How a piece of terminal output is written. Colours are an index 0–15 of our palette, or a CSS colour for the others. */
export interface AnsiStyle {
  foreground?: number | string;
  background?: number | string;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  strike?: boolean;
  inverse?: boolean;
}

type Flag = 'bold' | 'dim' | 'italic' | 'underline' | 'strike' | 'inverse';

const flagsOn: Record<number, Flag> = { 1: 'bold', 2: 'dim', 3: 'italic', 4: 'underline', 7: 'inverse', 9: 'strike' };
const flagsOff: Record<number, Flag[]> = { 22: ['bold', 'dim'], 23: ['italic'], 24: ['underline'], 27: ['inverse'], 29: ['strike'] };

/** The style after a "select graphic rendition" sequence with these parameters (ECMA-48 §8.3.117, and xterm's colours). */
export function restyle(style: AnsiStyle, parameters: readonly number[]): AnsiStyle {
  let next = { ...style };
  for (let index = 0; index < parameters.length; index += 1) {
    const code = parameters[index]!;
    if (code === 0) next = {};
    else if (flagsOn[code]) next[flagsOn[code]] = true;
    else if (flagsOff[code]) for (const flag of flagsOff[code]) delete next[flag];
    else if (code === 38 || code === 48)
      index += extendedColor(next, code === 38 ? 'foreground' : 'background', parameters.slice(index + 1));
    else if (code === 39) delete next.foreground;
    else if (code === 49) delete next.background;
    else basicColor(next, code);
  }
  return next;
}

function basicColor(style: AnsiStyle, code: number): void {
  if (code >= 30 && code <= 37) style.foreground = code - 30;
  else if (code >= 90 && code <= 97) style.foreground = code - 82;
  else if (code >= 40 && code <= 47) style.background = code - 40;
  else if (code >= 100 && code <= 107) style.background = code - 92;
}

/** `5;n` or `2;r;g;b` after 38 or 48; returns how many parameters it took. */
function extendedColor(style: AnsiStyle, ground: 'foreground' | 'background', rest: readonly number[]): number {
  if (rest[0] === 5 && rest[1] !== undefined) {
    style[ground] = indexedColor(rest[1]);
    return 2;
  }
  if (rest[0] === 2 && rest.length >= 4) {
    style[ground] = `rgb(${rest.slice(1, 4).map(clampByte).join(' ')})`;
    return 4;
  }
  return rest.length;
}

/** xterm's 256 colours: 16 of the palette, a 6 × 6 × 6 cube, 24 greys. */
function indexedColor(index: number): number | string {
  if (index < 16) return Math.max(0, index);
  if (index >= 232) {
    const grey = 8 + 10 * (Math.min(index, 255) - 232);
    return `rgb(${grey} ${grey} ${grey})`;
  }
  const at = index - 16;
  const level = (step: number) => (step === 0 ? 0 : 55 + 40 * step);
  return `rgb(${level(Math.floor(at / 36))} ${level(Math.floor(at / 6) % 6)} ${level(at % 6)})`;
}

function clampByte(value: number): number {
  return Math.min(255, Math.max(0, value));
}
