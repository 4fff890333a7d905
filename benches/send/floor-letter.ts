/** One copy of a letter, without its signature. */
export interface Filled {
  readonly from: string;
  readonly to: string;
  readonly header: string;
  readonly body: Buffer;
  /** What is signed of the header, in its relaxed form. */
  readonly signedFields: string;
}

export interface Letter {
  fill(number: number): Filled;
  signatureStart(bodyHash: string): { readonly written: string; readonly relaxed: string };
}

const everyLines = 12;
const slotLength = 12;

/**
 * A letter that was read off the wire, with slots: addresses, message id and unsubscribe link in its header, and a few
 * words in its body. The body is in relaxed form already, so that it is hashed as it is sent.
 */
export function floorLetter(sample: string): Letter {
  const end = sample.indexOf('\r\n\r\n');
  const fields = sample
    .slice(0, end)
    .split(/\r\n(?![ \t])/)
    .map((field): [string, string] => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon), field.slice(colon + 1).trim()];
    });
  const valueOf = (name: string): string =>
    fields.find(([field]) => field.toLowerCase() === name)?.[1].replaceAll(/\s+/g, ' ') ?? '';
  const signature = valueOf('dkim-signature').replaceAll(' ', '');
  const tag = (name: string): string => new RegExp(`(?:^|;)${name}=([^;]*)`).exec(signature)?.[1] ?? '';
  const domain = tag('d');
  const signed = [...new Set(tag('h').split(':'))];
  const fixed = new Map(signed.map((name) => [name, valueOf(name)]));
  const others = fields.filter(([name]) => name.toLowerCase() !== 'dkim-signature');
  const { body, slots } = withSlots(sample.slice(end + 4));
  const start = [
    `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; s=${tag('s')};`,
    `h=${signed.join(':')};`,
  ].join('\r\n\t');
  return {
    fill: (number) => {
      const token = String(number).padStart(59, '0');
      const to = `person.number.${number}@example.com`;
      const own = new Map([
        ['to', to],
        ['message-id', `<${token}@${domain}>`],
        ['list-unsubscribe', `<https://mail.example.test/u/${token}>`],
      ]);
      const copy = Buffer.from(body);
      const word = token.slice(-slotLength);
      for (const at of slots) copy.write(word, at, 'latin1');
      const header = others.map(([name, value]) => `${name}: ${own.get(name.toLowerCase()) ?? value}\r\n`);
      const signedFields = signed.map((name) => `${name}:${own.get(name) ?? fixed.get(name)}`).join('\r\n');
      return {
        from: `b-${token}@bounce.${domain}`,
        to,
        header: header.join(''),
        body: copy,
        signedFields,
      };
    },
    signatureStart: (bodyHash) => {
      const written = `${start}\r\n\tbh=${bodyHash};\r\n\tb=`;
      return {
        written,
        relaxed: `dkim-signature:${written.slice('DKIM-Signature: '.length).replaceAll(/\s+/g, ' ')}`,
      };
    },
  };
}

/** Slots are in long lines of plain letters, of the same length as what is put there. */
function withSlots(written: string): { readonly body: Buffer; readonly slots: readonly number[] } {
  const lines = written
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(' \r\n', '\r\n')
    .split('\r\n');
  const slots: number[] = [];
  let at = 0;
  for (const [number, line] of lines.entries()) {
    if (number % everyLines === 0 && /^[\w ]{40}/.test(line)) slots.push(at + 20);
    at += line.length + 2;
  }
  return { body: Buffer.from(lines.join('\r\n'), 'latin1'), slots };
}
