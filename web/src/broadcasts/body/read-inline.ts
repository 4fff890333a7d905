import { isPlaceholderName, linkNameOf } from './document.ts';

type Attributes = Readonly<Record<string, string>>;

// The service judges addresses in full when a body is saved. This keeps out what is plainly none.
const unfit = /[\p{Cc}\p{Cf}\p{Z}"<>\\^`{|}]/u;
export const isLink = (href: string): boolean =>
  linkNameOf(href) !== undefined || (/^(https?:\/\/|mailto:|tel:)/i.test(href) && !unfit.test(href));
export const isImageAddress = (src: string): boolean => /^https:\/\//i.test(src) && !unfit.test(src);

export function readLink(attributes: Attributes): Readonly<Record<string, unknown>> | undefined {
  const { href = '', title, class: look } = attributes;
  return isLink(href) ? { href, title: sendable(title), isButton: look === 'button' } : undefined;
}

export function readImage(attributes: Attributes): Readonly<Record<string, unknown>> | undefined {
  const { src = '', alt, title, width, height } = attributes;
  if (!isImageAddress(src)) return undefined;
  return { src, alt: sendable(alt), title: sendable(title), width: pixels(width), height: pixels(height) };
}

// What no message can hold; a tab or the end of a line is a blank in a value.
const unsendable = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\uFEFF]/gu;
const sendable = (value: string | undefined): string | null =>
  value?.replaceAll(/[\t\n\f\r]+/g, ' ').replaceAll(unsendable, '') ?? null;

const pixels = (text: string | undefined): number | null =>
  text !== undefined && /^[1-9][0-9]{0,3}$/.test(text) && Number(text) <= 2_000 ? Number(text) : null;

/** A chip that was copied out of an editor. */
export function readVariable(name: string, attributes: Attributes): string | undefined {
  const variable = name === 'span' ? attributes['data-var'] : undefined;
  return variable !== undefined && isPlaceholderName(variable) ? variable : undefined;
}
