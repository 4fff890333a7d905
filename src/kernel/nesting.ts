const [quote, backslash] = [0x22, 0x5c];
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/** Whether a text nests arrays and objects deeper than the limit if it is JSON. Cheap beside parsing it. */
export function nestsTextDeeper(text: string, than: number): boolean {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isQuoted) {
      if (code === backslash) at++;
      else if (code === quote) isQuoted = false;
    } else if (code === quote) isQuoted = true;
    else if (opening.has(code)) {
      if (++depth > than) return true;
    } else if (closing.has(code)) depth--;
  }
  return false;
}
