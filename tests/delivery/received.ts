import PostalMime, { type Email } from 'postal-mime';
import { expect } from 'vitest';
import type { Mail } from '../support/mail.ts';
import { follow } from '../tracking/sent-broadcast.ts';

/** An email as a mailbox has it. */
export interface Received extends Email {
  readonly html: string;
  readonly text: string;
  readonly header: (name: string) => string | undefined;
}

// The line end before a boundary belongs to the boundary; postal-mime leaves it to the part.
const partOf = (content = ''): string => content.replace(/\n$/, '');

export async function receivedBy(mail: Mail, address: string): Promise<Received> {
  const read = await PostalMime.parse(Buffer.from(await mail.messageTo(address), 'latin1'));
  const header = (name: string) => read.headers.find(({ key }) => key === name)?.value;
  return { ...read, html: partOf(read.html), text: partOf(read.text), header };
}

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => entities[sign as keyof typeof entities]);
const unescaped = (text: string): string =>
  Object.entries(entities).reduceRight((left, [sign, entity]) => left.replaceAll(entity, sign), text);

/** Every address in the HTML, in order, each as often as it is there: of links or of pictures. */
export const addressesIn = (html: string, attribute: 'href' | 'src'): string[] =>
  [...html.matchAll(new RegExp(` ${attribute}="([^"]*)"`, 'g'))].map(([, value]) => unescaped(value!));

export const addressesInText = (text: string): string[] => text.match(/https?:\/\/[^\s)]+/g) ?? [];

const traces =
  /<a href="([^"]+)" style="display:none;mso-hide:all" aria-hidden="true" tabindex="-1"><\/a>\n<img src="([^"]+)" alt="" width="1" height="1" border="0" style="width:1px;height:1px">\n(?=<\/body>\n<\/html>\n$)/;
const unsubscribeLink = /<a href="([^"]+)" style="[^"]*">Unsubscribe<\/a>/;

/** The addresses of our own that every email has, wherever they are meant to stand. */
export interface OwnAddresses {
  readonly trap: string | undefined;
  readonly picture: string | undefined;
  readonly unsubscribe: string | undefined;
}

export function ownAddressesOf(html: string): OwnAddresses {
  const [, trap, picture] = traces.exec(html) ?? [];
  return { trap, picture, unsubscribe: unsubscribeLink.exec(html)?.[1] };
}

/** An email as it would be if nothing in it were one recipient's own: the way a preview has it. */
export async function asShown(
  { html, text }: Pick<Received, 'html' | 'text'>,
  serviceUrl: string,
  standIn: string,
): Promise<{ html: string; text: string }> {
  const own = ownAddressesOf(html).unsubscribe!;
  let page = html.replace(traces, '');
  // HEAD, which no person does: looking counts as nothing.
  for (const url of new Set(addressesIn(page, 'href'))) {
    if (!url.startsWith(`${serviceUrl}/t/`)) continue;
    const { status, headers } = await follow(url, { method: 'HEAD' });
    expect(status).toBe(302);
    page = page.replaceAll(` href="${url}"`, ` href="${escaped(headers.get('location')!)}"`);
  }
  return { html: page.replaceAll(own, standIn), text: text.replaceAll(own, standIn) };
}
