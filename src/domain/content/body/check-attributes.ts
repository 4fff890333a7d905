import type { Token } from 'parse5';
import { elementOf } from './elements.ts';
import { type Findings, quotable } from './findings.ts';
import { findUnsendable } from './limits.ts';
import { wrongWithImage, wrongWithLink } from '../../../kernel/link.ts';
import { linkPlaceholder, marksOf, notAPlaceholder } from './template-syntax.ts';

const mostPixels = 2_000;

/** Checks the attributes of an allowed element, values with their references resolved. */
export function checkAttributes(tag: Token.TagToken, findings: Findings): void {
  const { tagName, attrs, location } = tag;
  const { attributes } = elementOf(tagName)!;
  for (const { name, value } of attrs) {
    const offset = location!.attrs![name]!.startOffset;
    if (!attributes.includes(name)) {
      const takes = attributes.length > 0 ? `It takes ${attributes.join(', ')}.` : 'It takes no attributes.';
      const detail = `${quotable(name)} is not allowed on <${tagName}>. ${takes}`;
      findings.add(offset, 'attribute_not_allowed', detail);
      continue;
    }
    const isWholeLink = name === 'href' && linkPlaceholder(value) !== undefined;
    const wrong = isWholeLink ? undefined : (wrongWithTemplate(name, value) ?? wrongWithValue(name, value));
    if (wrong !== undefined) findings.add(offset, ...wrong);
  }
  const offset = location!.startOffset;
  if (tagName === 'a' && !has(tag, 'href')) {
    findings.add(offset, 'link_not_allowed', 'An <a> needs an href: without one it leads nowhere. Add it.');
  }
  if (tagName === 'img' && !has(tag, 'src')) {
    findings.add(offset, 'image_not_allowed', 'An <img> needs a src that begins with https://. Add it.');
  }
}

const has = (tag: Token.TagToken, name: string): boolean => tag.attrs.some((one) => one.name === name);

type Wrong = readonly [code: string, detail: string] | undefined;

function wrongWithTemplate(name: string, value: string): Wrong {
  const mark = marksOf(value).next().value;
  if (mark === undefined) return undefined;
  if (mark.name === undefined) return ['template_syntax', notAPlaceholder(mark.text)];
  if (name !== 'href') {
    return ['placeholder_place', `${name} takes no placeholders. Use them in text or as a whole href.`];
  }
  return ['placeholder_place', 'A placeholder in href is the whole of it: href="{{link_var_<id>}}".'];
}

function wrongWithValue(name: string, value: string): Wrong {
  switch (name) {
    case 'href': {
      const wrong = wrongWithLink(value);
      return wrong === undefined ? undefined : ['link_not_allowed', wrong];
    }
    case 'src': {
      const wrong = wrongWithImage(value);
      return wrong === undefined ? undefined : ['image_not_allowed', wrong];
    }
    case 'class':
      return value === 'button'
        ? undefined
        : ['attribute_not_allowed', 'class is button, which makes the link a button, or is left out.'];
    case 'width':
    case 'height':
      return /^[1-9][0-9]{0,3}$/.test(value) && Number(value) <= mostPixels
        ? undefined
        : ['attribute_not_allowed', `${name} is a whole number from 1 to ${mostPixels}.`];
    default:
      return findUnsendable(value) < 0
        ? undefined
        : ['control_character', `The value of ${name} holds a control character. Remove it.`];
  }
}
