import type { TrackedPieces } from './body.ts';
import { escapeValue } from './escape.ts';
import { darkCard, darkLinks, stylePieces, type BodyColors } from './style-body.ts';

/** The layout around the body of every email of an organization. */
export interface Layout extends BodyColors {
  readonly company_name: string | null;
  readonly logo_url: string | null;
  readonly logo_alt: string | null;
  readonly footer_text: string | null;
  readonly postal_address: string | null;
}

interface EmailHead {
  readonly subject: string;
  /** What an inbox shows beside the subject; empty for none. */
  readonly previewText: string | null;
}

export interface EmailContent extends EmailHead {
  /** HTML that is already checked and rendered: inserted as it is. */
  readonly body: string;
  readonly unsubscribeUrl: string;
  /** The address of an invisible picture; fetching it means that the message was opened. */
  readonly openUrl?: string | undefined;
  /** The address of a hidden link: only a program follows it, never a person. */
  readonly trapUrl?: string | undefined;
}

/** An address of its own in every copy. */
export type UrlSlot = { readonly url: 'unsubscribe' | 'open' | 'trap' };

type PagePieces = readonly (TrackedPieces[number] | UrlSlot)[];

/** What keeps emails from being sent in this layout, as a sentence. */
export const layoutProblem = (layout: Layout): string | undefined =>
  (layout.postal_address ?? '').trim() === ''
    ? 'The email layout has no postal address, which every marketing email must show: set one with PUT /v1/email-layout.'
    : undefined;

const font = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

// Styles are inline, because some readers drop <style>; it holds only what cannot be inline: the colors of dark mode.
const darkStyle = (layout: Layout): string =>
  ':root{color-scheme:light dark;supported-color-schemes:light dark}' +
  '@media (prefers-color-scheme:dark){' +
  `.page{background:#18181b!important}.card{background:${darkCard}!important}` +
  `.text{color:#f4f4f5!important}${darkLinks(layout)}.small,.small a{color:#a1a1aa!important}}`;

/** The whole page of an email around a body that is rendered. */
export function wrapHtml(layout: Layout, content: EmailContent): string {
  const { body, unsubscribeUrl, openUrl, trapUrl } = content;
  const has = { open: openUrl !== undefined, trap: trapUrl !== undefined };
  const urls = { unsubscribe: unsubscribeUrl, open: openUrl, trap: trapUrl };
  const pieces = pageOf(layout, { ...content, body: [body], has }) as readonly (string | UrlSlot)[];
  return pieces
    .map((piece) => (typeof piece === 'string' ? piece : escapeValue(urls[piece.url] ?? '')))
    .join('');
}

/**
 * The whole page of an email, in pieces: a table of 600 pixels with inline styles, which is what old mail readers lay
 * out right. `has`: whether it has a picture that tells of openings, and a hidden link.
 */
export const pageOf = (
  layout: Layout,
  {
    subject,
    previewText,
    body,
    has,
  }: EmailHead & {
    readonly body: TrackedPieces;
    readonly has: { readonly open: boolean; readonly trap: boolean };
  },
): PagePieces => [
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="x-apple-disable-message-reformatting">
<title>${escapeValue(subject)}</title>
<style>${darkStyle(layout)}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f4f4f5">
${hiddenPreview(previewText ?? '')}<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f4f4f5">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px;table-layout:fixed;background:#ffffff">
${logoRow(layout)}<tr><td class="text" style="padding:32px;${font};font-size:16px;line-height:1.5;color:#18181b;word-break:break-word">
`,
  ...stylePieces(body, layout),
  `
</td></tr>
</table>
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px;table-layout:fixed">
<tr><td class="small" align="center" style="padding:24px 32px;${font};font-size:12px;line-height:1.5;color:#71717a;word-break:break-word">
${footer(layout)}<a href="`,
  { url: 'unsubscribe' },
  `" style="color:#71717a;text-decoration:underline">Unsubscribe</a>
</td></tr>
</table>
</td></tr>
</table>
`,
  ...(has.trap ? trap : []),
  ...(has.open ? openPicture : []),
  `</body>
</html>
`,
];

// Without text or picture, and not where the tab key goes: nothing is there to be seen, read aloud or followed by hand.
const trap: PagePieces = [
  '<a href="',
  { url: 'trap' },
  '" style="display:none;mso-hide:all" aria-hidden="true" tabindex="-1"></a>\n',
];

// Not hidden by a style: a reader that leaves such pictures out would count as never opened.
const openPicture: PagePieces = [
  '<img src="',
  { url: 'open' },
  '" alt="" width="1" height="1" border="0" style="width:1px;height:1px">\n',
];

// An inbox would continue the preview with the first words of the body; these invisible characters prevent that.
const filler = '&#847;&zwnj;&nbsp;'.repeat(40);

const hiddenPreview = (text: string): string =>
  text === ''
    ? ''
    : `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeValue(text)}${filler}</div>\n`;

function logoRow({ logo_url, logo_alt, company_name }: Layout): string {
  if (logo_url === null) return '';
  const alt = escapeValue(logo_alt ?? company_name ?? '');
  return `<tr><td align="center" style="padding:32px 32px 0">
<img src="${escapeValue(logo_url)}" alt="${alt}" style="display:block;max-width:200px;max-height:80px;border:0;${font};font-size:20px">
</td></tr>
`;
}

const footer = (layout: Layout): string =>
  footerParts(layout)
    .map((part) => `<p style="margin:0 0 8px">${lines(part).map(escapeValue).join('<br>')}</p>\n`)
    .join('');

const footerParts = ({ company_name, postal_address, footer_text }: Layout): string[] =>
  [company_name, postal_address, footer_text].filter(
    (part) => part !== null && part.trim() !== '',
  ) as string[];

const lines = (text: string): string[] => text.trim().split(/\r\n|\r|\n/);

/** The same without HTML. The body is plain text already. */
export const wrapText = (
  layout: Layout,
  { body, unsubscribeUrl }: Pick<EmailContent, 'body' | 'unsubscribeUrl'>,
): string => `${body.trimEnd()}${underText(layout)}${unsubscribeUrl}\n`;

/** What is under a plain text, up to the address to unsubscribe at. */
export const underText = (layout: Layout): string =>
  ['', '---', ...footerParts(layout).map((part) => lines(part).join('\n')), 'Unsubscribe: '].join('\n\n');
