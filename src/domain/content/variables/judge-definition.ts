import type { FieldError } from '../../../kernel/failure.ts';
import { dateFormats, isDateFormat } from './date-format.ts';
import { valueMark, type Definition } from './definition.ts';
import type { Source } from './source.ts';
import { marksOf } from '../body/template-syntax.ts';

/** An error of a definition, without the pointer, which depends on the definition's name. */
export type Wrong = Omit<FieldError, 'pointer'> & { readonly at: keyof Definition };

const ownMark = /\{\{(link_)?var_/;

/** Template syntax other than the value's mark. The checker of bodies does not know the mark; it gets a name. */
const hasTemplateSyntax = (text: string): boolean =>
  ownMark.test(text) ||
  [...marksOf(text.replaceAll(valueMark, '{{var_x}}'))].some(({ name }) => name === undefined);

/** Whether its values may be formatted as dates: custom properties have no date type, so a text may be one. */
const maybeDate = ({ type, from }: Source): boolean =>
  type === 'date' || (type === 'text' && from === 'property');

export const maybeLink = ({ type }: Source): boolean => type === 'url' || type === 'text';

/** What is wrong with a definition that stands in text, given what it reads. */
export function judgeText(definition: Definition, source: Source): Wrong[] {
  const { fallback, template, date_format, text_format } = definition;
  const wrong: Wrong[] = [];
  if (fallback.includes(valueMark) || hasTemplateSyntax(fallback)) wrong.push(syntaxInFallback);
  if (!template.includes(valueMark)) {
    const detail = `A template has ${valueMark} where the value goes. Without one, leave template out.`;
    wrong.push({ at: 'template', code: 'template_without_value', detail });
  } else if (hasTemplateSyntax(template)) {
    const detail = `A template takes ${valueMark} and plain text around it, no other template syntax.`;
    wrong.push({ at: 'template', code: 'template_syntax', detail });
  }
  if (date_format !== null && !maybeDate(source)) {
    const detail = `${source.label} is not a date. Leave date_format out, or read a date.`;
    wrong.push({ at: 'date_format', code: 'not_a_date', detail });
  } else if (date_format !== null && !isDateFormat(date_format)) {
    const detail =
      'Not a pattern that date-fns takes. Years are yyyy and days dd; words stand in single quotes. Use ' +
      `${dateFormats.join(', ')}.`;
    wrong.push({ at: 'date_format', code: 'invalid_date_format', detail, allowed: dateFormats });
  }
  if (text_format !== null && source.type !== 'text') {
    const detail = `${source.label} is not a text. Leave text_format out.`;
    wrong.push({ at: 'text_format', code: 'not_a_text', detail });
  }
  return wrong;
}

const linkSchemes = ['https:', 'http:', 'mailto:', 'tel:'];

/** What is wrong with a definition that is the whole address of a link: nothing may be put around it. */
export function judgeLink(definition: Definition, source: Source, isLink: (url: string) => boolean): Wrong[] {
  const { fallback, template, date_format, text_format } = definition;
  const wrong: Wrong[] = [];
  if (!maybeLink(source)) {
    const detail = `${source.label} cannot be a link. Read a url, or a text that holds one.`;
    wrong.push({ at: 'variable', code: 'not_a_link', detail });
  }
  if (fallback !== '' && !isLink(fallback)) {
    const detail = `The fallback of a link is a link: ${linkSchemes.join(', ')}.`;
    wrong.push({ at: 'fallback', code: 'invalid_link', detail, allowed: linkSchemes });
  }
  const around = {
    template: template !== valueMark,
    date_format: date_format !== null,
    text_format: text_format !== null,
  };
  for (const [at, isThere] of Object.entries(around) as [keyof typeof around, boolean][]) {
    const detail = `A link is the value and nothing else. Leave ${at} out.`;
    if (isThere) wrong.push({ at, code: 'not_for_links', detail });
  }
  return wrong;
}

const syntaxInFallback: Wrong = {
  at: 'fallback',
  code: 'template_syntax',
  detail: 'A fallback is sent as it is written. Write plain text, without template syntax.',
};
