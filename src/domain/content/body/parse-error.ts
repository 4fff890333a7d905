import type { Findings } from './findings.ts';

/** An error as parse5 reports it: the standard's name, and the position where the parser noticed. */
interface ParseError {
  readonly code: string;
  readonly startOffset: number;
}

// For these errors the whole token is refused.
const ofRefusedTokens = /comment|doctype|cdata|question-mark/;
// The source itself was already searched for these.
const ofSource = /-in-input-stream$|^unexpected-null-character$/;

const ampersand = 'Write & itself as &amp;.';
const noCharacter = ['control_character', 'This stands for no character. Remove it.'] as const;
const ofReferences: Readonly<Record<string, readonly [code: string, detail: string]>> = {
  'unknown-named-character-reference': ['malformed', `There is no character of that name. ${ampersand}`],
  'missing-semicolon-after-character-reference': [
    'malformed',
    `A character reference ends with a semicolon. ${ampersand}`,
  ],
  'absence-of-digits-in-numeric-character-reference': [
    'malformed',
    `A number belongs after &#, as in &#169;. ${ampersand}`,
  ],
  'null-character-reference': noCharacter,
  'surrogate-character-reference': noCharacter,
  'character-reference-outside-unicode-range': noCharacter,
  'noncharacter-character-reference': noCharacter,
  'control-character-reference': ['control_character', 'This stands for a control character. Remove it.'],
};

const ofTags: Readonly<Record<string, string>> = {
  'end-tag-with-attributes': 'An end tag takes no attributes. Leave them out.',
  'end-tag-with-trailing-solidus': 'An end tag has one slash. Write it like </p>.',
  'missing-attribute-value': 'A value belongs after the equals sign. Write it in quotes.',
  'missing-whitespace-between-attributes': 'Attributes are parted by a blank. Is a quote missing?',
  'unexpected-character-in-attribute-name': 'An attribute name holds no quotes and no <. Is a quote missing?',
  'unexpected-character-in-unquoted-attribute-value': 'Put the value of this attribute in double quotes.',
  'unexpected-equals-sign-before-attribute-name': 'An attribute name belongs before the equals sign.',
  'unexpected-solidus-in-tag': 'A slash stands only at the end of a tag. Part attributes by blanks.',
};

/** Reports a parse error in the author's terms, at the place where the author would look. */
export function addParseError({ code, startOffset }: ParseError, source: string, findings: Findings): void {
  if (ofRefusedTokens.test(code) || ofSource.test(code)) return;
  const ofReference = ofReferences[code];
  if (ofReference !== undefined) {
    findings.add(Math.max(source.lastIndexOf('&', startOffset), 0), ...ofReference);
  } else if (code === 'duplicate-attribute') {
    const detail = 'This attribute is there twice. Leave one out.';
    findings.add(startOfName(source, startOffset), 'duplicate_attribute', detail);
  } else if (/^(?:invalid-first-character-of|eof-before|missing-end)-tag-name$/.test(code)) {
    const offset = Math.max(source.lastIndexOf('<', startOffset - 1), 0);
    findings.add(offset, 'malformed', 'No tag begins here. Write < itself as &lt;.');
  } else {
    findings.add(startOffset, 'malformed', ofTags[code] ?? `The markup is broken here (${code}).`);
  }
}

/** Searches back over one name only, so that a tag with thousands of names costs no more than its length. */
function startOfName(source: string, end: number): number {
  let start = end;
  while (start > 0 && !/[\s"'/>=]/.test(source[start - 1]!)) start--;
  return start;
}
