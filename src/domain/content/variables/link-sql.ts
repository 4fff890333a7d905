import { sql, type Expression, type SqlBool } from 'kysely';

// kernel/link.ts in PostgreSQL's patterns, without regard to case. What they do not say: whether an xn-- label stands for
// a name, that no port is 0, and how long a label, mailbox or number may be: counting takes 250 µs a text instead of 20.
/** What no link holds, as a class of characters is written. */
export const invisible =
  String.raw`\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u1680` +
  String.raw`\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ue000-\uf8ff\ufe00-\ufe0f` +
  String.raw`\ufeff\uffa0\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3` +
  String.raw`\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U000ffffd\U00100000-\U0010fffd`;
const unfit = `"<>\\\\^\`{|}%${invisible}`;

/** White space as JavaScript trims it. */
export const space = String.raw`[\u0009-\u000d\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*`;

const label = '[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?';
const domain = String.raw`(?:${label}\.)+(?:[a-z][a-z]+|xn--[a-z0-9-]+)`;
const byte = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const host = String.raw`(?:${domain}|localhost|${byte}\.${byte}\.${byte}\.${byte})`;
const port =
  ':(?:[0-5]?[0-9]?[0-9]?[0-9]?[0-9]|[6-9][0-9]?[0-9]?[0-9]?' +
  '|6[0-4][0-9][0-9][0-9]|65[0-4][0-9][0-9]|655[0-2][0-9]|6553[0-5])';
const web = `https?://${host}(?:${port})?(?:[/?#](?:[^${unfit}]|%[0-9a-f][0-9a-f])*)?`;

const mailbox = `[a-z0-9._+'-]+@${domain}`;
const encoded = '[2-689a-f][0-9a-f]|7[0-9a-e]'; // no control character
const fieldOf = (names: string, codes: string): string => `(?:${names})=(?:[^&${unfit}]|%(?:${codes}))*`;
const field = `(?:${fieldOf('subject|cc|bcc', encoded)}|${fieldOf('body', `${encoded}|09|0a|0d`)})`;
const fields = String.raw`\?${field}(?:&${field})*`;
const mail = `mailto:(?:${mailbox}(?:,${mailbox})*(?:${fields})?|${fields})`;

const telephone = String.raw`tel:\+?[0-9(][0-9().-]+(?:;ext=[0-9]+)?`;

const linkText = `^${space}(?:${web}|${mail}|${telephone})${space}$`;

/** Whether a text is a link that may be sent, blanks around it aside. */
export const isLink = (text: Expression<unknown>) => sql<SqlBool>`${text} ~* ${linkText}`;
