import { domainToUnicode } from 'node:url';

const mostLength = 8_192; // as long as a custom property's value can be

const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
const unfit = [
  [invisible, 'An address holds no blanks, line ends or invisible characters. Remove them.'],
  [/["<>\\^`{|}]/, 'An address holds none of " < > \\ ^ ` { | }. Write them as %22, %3C and so on.'],
  [/%(?![0-9a-f]{2})/i, 'A percent sign in an address comes before two hex digits. Write % itself as %25.'],
] as const;

// Without the flags u and v, under which `i` takes ſ for s and the Kelvin sign for k.
const label = '[a-z0-9_](?:[a-z0-9_\\-]{0,61}[a-z0-9_])?';
const domain = String.raw`(?:${label}\.)+(?:[a-z]{2,63}|xn--[a-z0-9\-]{1,59})`;
// Localhost and plain addresses let a service on a developer's machine link to itself.
const web = new RegExp(
  String.raw`^https?:\/\/(${domain}|localhost|[0-9]{1,3}(?:\.[0-9]{1,3}){3})(?::[0-9]{1,5})?(?:[\/?#].*)?$`,
  'i',
);

const mailbox = String.raw`[a-z0-9._+'\-]{1,64}@${domain}`;
const mail = new RegExp(String.raw`^mailto:(?:${mailbox}(?:,${mailbox})*)?(?:\?(.+))?$`, 'i');
// Mail programs have taken other fields, `attach` above all, as orders.
const mailField = /^(subject|body|cc|bcc)=/i;
const encodedControl = /%(?:[01][0-9a-f]|7f)/i;
const encodedControlInBody = /%(?:0[0-8bcef]|1[0-9a-f]|7f)/i;

// Without * and #, which make a telephone act instead of call.
const telephone = /^tel:\+?[0-9(][0-9().-]{1,30}(?:;ext=[0-9]{1,10})?$/i;

/** Why this is no link that may be sent, or undefined when it is one. Judges the value with references resolved. */
export function wrongWithLink(link: string): string | undefined {
  const wrong = wrongWithCharacters(link);
  if (wrong !== undefined) return wrong;
  switch (/^([a-z]+):/i.exec(link)?.[1]?.toLowerCase()) {
    case 'https':
    case 'http':
      return wrongWithWeb(link);
    case 'mailto':
      return wrongWithMail(link);
    case 'tel':
      return telephone.test(link)
        ? undefined
        : 'This is no telephone number. Write it like tel:+15551234567.';
    default:
      return 'A link begins with https://, http://, mailto: or tel:. Write the whole address.';
  }
}

/** Why this is no address of an image that may be sent, or undefined when it is one. */
export function wrongWithImage(source: string): string | undefined {
  return /^https:/i.test(source)
    ? (wrongWithCharacters(source) ?? wrongWithWeb(source))
    : 'The src of an image begins with https://. Write the whole address.';
}

export const isWebLink = (link: string): boolean => /^https?:/i.test(link);

export const isInsecure = (link: string): boolean => /^http:/i.test(link);

/** How a link reads in plain text: of mail and telephone links, only whom they reach. */
export const linkAsText = (link: string): string => {
  if (/^tel:/i.test(link)) return link.slice('tel:'.length);
  return /^mailto:[^?]/i.test(link) ? link.slice('mailto:'.length).split('?')[0]! : link;
};

function wrongWithCharacters(link: string): string | undefined {
  if (link === '') return 'The address is empty. Write the whole address.';
  if (link.length > mostLength) return `An address is at most ${mostLength} characters long.`;
  return unfit.find(([characters]) => characters.test(link))?.[1];
}

function wrongWithWeb(link: string): string | undefined {
  const host = web.exec(link)?.[1]?.toLowerCase();
  const url = URL.parse(link);
  // A link whose host reads differently to the expression and to the standard's parser could deceive its reader.
  const isSound = host !== undefined && url?.hostname === host && url.port !== '0';
  // An xn-- label that stands for no name is left as it is.
  if (isSound && !domainToUnicode(host).includes('xn--')) return undefined;
  return 'After // comes a host such as example.com: no user name, no other alphabet (use its xn-- form), a port up to 65535.';
}

function wrongWithMail(link: string): string | undefined {
  const match = mail.exec(link);
  if (match === null || link.length === 'mailto:'.length) {
    return 'This is no mail address. Write it like mailto:name@example.com?subject=Hello.';
  }
  for (const field of match[1]?.split('&') ?? []) {
    const name = mailField.exec(field)?.[1]?.toLowerCase();
    if (name === undefined) return 'After the ? of a mailto: link come subject, body, cc and bcc only.';
    if ((name === 'body' ? encodedControlInBody : encodedControl).test(field)) {
      return `The ${name} of a mailto: link holds a control character. Remove it.`;
    }
  }
  return undefined;
}
