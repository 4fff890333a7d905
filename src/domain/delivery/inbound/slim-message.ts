// The informative parts come first: a report precedes the message it is about, and of that message the header is
// enough. The parser takes 20 µs a line, so a megabyte of empty lines would take seconds.
const mostLines = 1_200;
const mostBytes = 128 * 1024;
/** The limit of one field; References is the longest that is read. */
const longestField = 8 * 1024;
const mostFields = 100;

/**
 * The fields that are read here. Address fields are left out: a crafted address list can keep the parser busy for
 * seconds, and the author's address is not used.
 */
const read = new Set([
  'auto-submitted',
  'content-disposition',
  'content-transfer-encoding',
  'content-type',
  'in-reply-to',
  'mime-version',
  'precedence',
  'references',
  'subject',
  'x-auto-reply',
  'x-autoreply',
  'x-autorespond',
  'x-autoresponder',
]);

/** The front of a message with only the header fields that are read here, each within its limit. */
export function slimMessage(raw: Uint8Array): Buffer {
  const front = frontOf(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength));
  const kept: string[] = [];
  let at = 0;
  let name = '';
  while (at < front.length) {
    const end = lineEnd(front, at);
    const line = front.toString('latin1', at, Math.min(end, at + longestField)).replace(/\r?\n$/, '');
    if (line === '') break;
    if (!/^[ \t]/.test(line)) {
      name = line.slice(0, line.indexOf(':')).trim().toLowerCase();
      if (read.has(name) && kept.length < mostFields) kept.push(line);
    } else if (read.has(name) && kept.length > 0) {
      const field = `${kept.at(-1)}\r\n${line}`;
      if (field.length <= longestField) kept[kept.length - 1] = field;
    }
    at = end;
  }
  return Buffer.concat([Buffer.from(`${kept.join('\r\n')}\r\n`, 'latin1'), front.subarray(at)]);
}

function frontOf(raw: Buffer): Buffer {
  const front = raw.subarray(0, mostBytes);
  let end = 0;
  for (let line = 0; line < mostLines && end < front.length; line++) end = lineEnd(front, end);
  return front.subarray(0, end);
}

/** Where the next line begins. */
function lineEnd(bytes: Buffer, from: number): number {
  const feed = bytes.indexOf(0x0a, from);
  return feed === -1 ? bytes.length : feed + 1;
}
