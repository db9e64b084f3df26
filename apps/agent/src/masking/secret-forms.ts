/** Shorter lines of a secret of several lines say nothing by themselves, and masking them would spoil a log. */
const MIN_LINE_LENGTH = 6;

/** Every spelling of secrets that is looked for: as they are, their lines, within JSON, in base64 at any place of a longer text, and in URLs. As latin-1 of their UTF-8 bytes. */
export function secretForms(secrets: readonly string[]): string[] {
  const spellings = secrets.filter((secret) => secret !== '').flatMap((secret) => [secret, ...linesOf(secret)]);
  const forms = spellings.flatMap((text) => [text, JSON.stringify(text).slice(1, -1), ...inUrls(text), ...inBase64(text)]);
  return [...new Set(forms.filter((form) => form !== '').map((form) => Buffer.from(form, 'utf8').toString('latin1')))];
}

/** A private key is often printed line by line, and what stands at a blank's end is trimmed. */
function linesOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim());
  return lines.filter((line) => line.length >= MIN_LINE_LENGTH);
}

function inUrls(text: string): string[] {
  const component = encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8'));
  const form = new URLSearchParams({ a: text }).toString().slice('a='.length);
  return [component, form].flatMap((encoded) => [encoded, encoded.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase())]);
}

/**
 * Three bytes make four characters, so what stands before a secret shifts it to one of three alignments. The characters that hold bits of
 * its neighbours are left out at both ends.
 */
function inBase64(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const own = encoded.slice(Math.ceil((8 * before) / 6), Math.floor((8 * (before + bytes.length)) / 6));
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
