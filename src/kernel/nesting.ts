const [quote, backslash] = [0x22, 0x5c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Whether a text nests arrays and objects deeper than the limit if it is JSON. Cheap beside parsing it. */
export function nestsTextDeeper(text: string, than: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = closingQuote(text, at);
    else if (code === openArray || code === openObject) {
      if (++depth > than) return true;
    } else if (code === closeArray || code === closeObject) depth--;
  }
  return false;
}

/**
 * Where the string ends that begins there. Most of a long body is in strings, and a search is quicker than a loop; once
 * one has an escaped quotation mark it may have half a million, for which a loop is.
 */
function closingQuote(text: string, opening: number): number {
  let at = text.indexOf('"', opening + 1);
  if (at === -1 || !isEscaped(text, at)) return at === -1 ? text.length : at;
  for (at++; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === backslash) at++;
    else if (code === quote) return at;
  }
  return text.length;
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charCodeAt(before - 1) === backslash) before--;
  return (at - before) % 2 === 1;
}
