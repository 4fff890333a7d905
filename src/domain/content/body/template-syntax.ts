import { quotable } from './findings.ts';

const id = String.raw`[A-Za-z0-9_\-]{1,64}`;

// Every repetition is bounded, or takes what it can and never gives it back: the time is linear in the text.
const forms = [
  String.raw`\{\{(?<name>(?:link_)?var_${id})\}\}(?!\})`,
  String.raw`\{{2,3}[^\{\}]{0,80}\}{2,}`,
  String.raw`\{{2,}|\}{2,}`,
  String.raw`\{[%#][^\{\}]{0,80}[%#]\}|\{[%#]|[%#]\}`,
  String.raw`<%[^<>]{0,80}%>|<%|%>`,
  // An amount or a number before its placeholder, as in ${{var_price}} and #{{var_order}}, is meant as it reads.
  String.raw`\$\{(?!\{(?:link_)?var_${id}\}\})[^\{\}]{0,80}\}?`,
  String.raw`#\{(?!\{)[^\{\}]{0,80}\}`,
  String.raw`\*\|[^\|\*]{1,80}\|\*`,
].join('|');
const everyForm = new RegExp(forms, 'gv');
/** Every form contains one of these. Most texts contain none, and then the check costs almost nothing. */
const telltale = /[\{\}%\|]/v;
const wholeLink = new RegExp(String.raw`^\{\{(link_var_${id})\}\}$`, 'v');

interface Mark {
  readonly at: number;
  readonly end: number;
  /** The text of the mark, short enough to quote. */
  readonly text: string;
  /** `var_x` or `link_var_x`; undefined for what only looks like a template, in this language or another's. */
  readonly name: string | undefined;
}

/** Our placeholders, and all syntax that another template engine would act on, from left to right. */
export function* marksOf(text: string): Generator<Mark, void, undefined> {
  if (!telltale.test(text)) return;
  for (const match of text.matchAll(everyForm)) {
    yield {
      at: match.index,
      end: match.index + match[0].length,
      text: quotable(match[0]),
      name: match.groups?.['name'],
    };
  }
}

/** The name, where a whole href is a placeholder. */
export const linkPlaceholder = (href: string): string | undefined => wholeLink.exec(href)?.[1];

export const isForLinks = (name: string): boolean => name.startsWith('link_');

export const notAPlaceholder = (text: string): string =>
  `${text} is not a placeholder and would be sent as it stands. Write {{var_<id>}} and define it in variables.`;
