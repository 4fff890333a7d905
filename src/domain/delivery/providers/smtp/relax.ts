// The relaxed forms of RFC 6376, in which a message is signed.

/** Header fields by name (3.4.2). */
export function relaxFields(header: string): Map<string, string> {
  const fields = header.split(/\r\n(?![ \t])/).filter((field) => field !== '');
  return new Map(
    fields.map((field) => [field.slice(0, field.indexOf(':')).toLowerCase(), relaxField(field)]),
  );
}

function relaxField(field: string): string {
  const colon = field.indexOf(':');
  const value = field
    .slice(colon + 1)
    .replaceAll('\r\n', '')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/^ | $/g, '');
  return `${field.slice(0, colon).toLowerCase()}:${value}`;
}

/** A body (3.4.4), except for empty lines at its end: a written one has none. Most are in this form as they are. */
export const relaxBody = (body: string): string =>
  body.includes('  ') || body.includes('\t') || body.includes(' \r\n')
    ? body.replaceAll(/[ \t]{2,}|\t/g, ' ').replaceAll(' \r\n', '\r\n')
    : body;
