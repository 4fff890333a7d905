import type { Random } from '../segments/random.ts';

/** What an attacker would put in the middle of something harmless. */
const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<style>',
  '</style>',
  '<math><mtext>',
  '<noscript>',
  '<template>',
  '<textarea>',
  '<table><tr>',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?x',
  '</p>',
  '</a>',
  '</em></strong>',
  '<a href="javascript:alert(1)">',
  ' onclick=alert(1)',
  ' style="x"',
  '" onmouseover="x',
  "' x='",
  '>',
  '<',
  '/>',
  '\u0000',
  '\u2028',
  '\u00A0',
  '\uD800',
  '&#x3c;script&#x3e;',
  '&lt;img src=x onerror=1&gt;',
  '&quot;',
  '&amp',
  '&colon;',
  '{{link_var_l}}',
  '{{var_a}}',
  '{{',
  '}}',
  '${x}',
  '<%= x %>',
  'javascript:',
  'data:text/html,',
  '//evil.com',
  '@evil.com',
  '\\',
];

/** What belongs in a body, and may belong where it is put. */
const harmless = [
  ' word ',
  '&amp;',
  '&lt;b&gt;',
  '&#x3C;',
  '<br>',
  '<br/>',
  '<em>x</em>',
  '<strong>&quot;y&quot;</strong>',
  '{{var_a}}',
  '{{var_b}}',
  '<a href="{{link_var_l}}">z</a>',
  '<a href="https://a.co/?x=1&amp;y=2" title="&lt;&quot;&gt;">z</a>',
  '<img src="https://a.co/x.png" alt="&quot;&gt;&lt;script&gt;">',
  '<p>p</p>',
  '<p>',
  '<ul><li>i</li></ul>',
  '<hr>',
  "'",
  '"',
  '😀',
  '\r\n',
  '}',
  '{',
  '%',
  '&',
];

/** A body made from others: most of them broken somewhere, a good share still sound. */
export function mutateBody(random: Random, sound: readonly string[], unsound: readonly string[]): string {
  let body = random.pick(random.chance(0.85) ? sound : unsound);
  for (let times = random.int(0, 3); times > 0; times--) {
    body = random.weighted(
      [6, () => insert(random, body, random.pick(harmless))],
      [2, () => insert(random, body, random.pick(hostile))],
      [2, () => body + random.pick(sound)],
      [1, () => splice(random, body, random.pick(random.chance(0.5) ? sound : unsound))],
      [1, () => cut(random, body)],
      [1, () => flip(random, body)],
      [3, () => encode(random, body)],
      [1, () => body.replace(/<\/?[a-z]+/g, (tag) => (random.chance(0.3) ? tag.toUpperCase() : tag))],
      [1, () => `<${random.pick(['p', 'em', 'li', 'h1', 'strong'])}>${body}`],
    );
  }
  return body;
}

const place = (random: Random, body: string): number => {
  const tags = [...body.matchAll(/[<>]/g)].map(({ index }) => index);
  // Where a tag begins or ends is where things go wrong, and where they may go right.
  return tags.length > 0 && random.chance(0.7)
    ? random.pick(tags) + random.int(0, 1)
    : random.int(0, body.length);
};

const insert = (random: Random, body: string, piece: string): string => {
  const at = place(random, body);
  return body.slice(0, at) + piece + body.slice(at);
};

const splice = (random: Random, body: string, other: string): string =>
  body.slice(0, place(random, body)) + other.slice(place(random, other));

const cut = (random: Random, body: string): string => {
  const [from, to] = [place(random, body), place(random, body)].toSorted((one, two) => one - two);
  return body.slice(0, from) + body.slice(to);
};

const flip = (random: Random, body: string): string => {
  const at = random.int(0, body.length);
  const other = random.pick([
    '<',
    '>',
    '"',
    "'",
    '&',
    '/',
    '=',
    ' ',
    '{',
    '}',
    '\u0000',
    '\uFF1C',
    'ı',
    'x',
    ';',
  ]);
  return body.slice(0, at) + other + body.slice(at + 1);
};

/** Writes some letters as references, which changes nothing in texts and values. */
const encode = (random: Random, body: string): string =>
  body.replace(/[\w{}:/.]/g, (letter) => (random.chance(0.05) ? `&#${letter.codePointAt(0)};` : letter));
