const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaper =
  (signs: RegExp) =>
  (text: string): string =>
    text.replace(signs, (sign) => entities[sign]!);

/** For text between tags that we write. */
export const escapeText = escaper(/[&<>]/g);

/** For attributes, which we write in double quotes. */
export const escapeAttribute = escaper(/[&<>"]/g);

/** For foreign text: safe in every place, in either kind of quotes. */
export const escapeValue = escaper(/[&<>"']/g);
