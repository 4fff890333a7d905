import { SegmentedMessage } from 'sms-segments-calculator';

/** One short message of a text, as it goes into submit_sm. */
export interface TextPart {
  /** 0: the network's own alphabet, GSM 03.38. 8: UCS-2. */
  readonly data_coding: 0 | 8;
  /** 0x40 says that the bytes begin with a header. */
  readonly esm_class: 0 | 0x40;
  readonly bytes: Buffer;
}

const mostUnits = 67;

/**
 * Cuts a text into the segments that its plan counted: both use the same library. Parts of a long text carry a header
 * (UDH) that names the text by `reference`; every SMSC accepts that, only some accept message_payload. A GSM 03.38
 * character takes one octet: the network packs them into seven bits.
 */
export function textParts(body: string, reference: number): TextPart[] {
  const text = new SegmentedMessage(body);
  const isGsm = text.encodingName === 'GSM-7';
  const cut = text.segments.map((segment) =>
    [...segment].flatMap((one: { codeUnits?: readonly number[] }) => one.codeUnits ?? []),
  );
  // To the library, a letter with dozens of marks is one character, and longer than a message can be.
  const parts =
    !isGsm && cut.some((units) => units.length > (cut.length === 1 ? 70 : mostUnits)) ? inPairs(body) : cut;
  return parts.map((units, at) => {
    const content = isGsm ? Buffer.from(units) : utf16be(units);
    return {
      data_coding: isGsm ? 0 : 8,
      esm_class: parts.length === 1 ? 0 : 0x40,
      bytes: parts.length === 1 ? content : Buffer.concat([header(reference, parts.length, at + 1), content]),
    };
  });
}

const header = (reference: number, total: number, part: number): Buffer =>
  Buffer.from([5, 0, 3, reference & 0xff, total, part]);

function utf16be(units: readonly number[]): Buffer {
  const bytes = Buffer.alloc(units.length * 2);
  for (const [at, unit] of units.entries()) bytes.writeUInt16BE(unit, at * 2);
  return bytes;
}

/** Cuts by code units, but never through a surrogate pair. */
function inPairs(body: string): number[][] {
  const parts: number[][] = [[]];
  for (const character of body) {
    if (parts.at(-1)!.length + character.length > mostUnits) parts.push([]);
    for (let at = 0; at < character.length; at++) parts.at(-1)!.push(character.charCodeAt(at));
  }
  return parts;
}
