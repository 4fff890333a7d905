import { isUtf8 } from 'node:buffer';
import { Failure } from '../../../kernel/failure.ts';
import { unreadable } from './unreadable-file.ts';

export const largestFile = 64 * 1024 * 1024;
export const longestLine = 1024 * 1024;

const newline = 0x0a;

/**
 * Splits a file into blocks that end at line ends, so that bytes that are not text are found, with their line, before
 * anything is parsed. Holds no more at a time than one chunk of the upload and the line it broke off in.
 */
export async function* wholeLines(upload: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer = Buffer.alloc(0);
  let line = 1;
  let received = 0;
  let isFirst = true;
  for await (const piece of upload) {
    received += piece.length;
    if (received > largestFile) throw tooLarge();
    const held = Buffer.concat([begun, piece]);
    const end = held.lastIndexOf(newline) + 1;
    begun = held.subarray(end);
    if (begun.length > longestLine) throw tooLong(line + countLines(held.subarray(0, end)));
    if (end === 0) continue;
    const block = isFirst ? withoutMark(held.subarray(0, end)) : held.subarray(0, end);
    isFirst = false;
    mustBeText(block, line);
    line += countLines(block);
    yield block;
  }
  if (begun.length === 0) return;
  const last = isFirst ? withoutMark(begun) : begun;
  mustBeText(last, line);
  if (last.length > 0) yield last;
}

export const tooLarge = (): Failure =>
  new Failure('too_large', `A file may have ${largestFile / 1024 / 1024} MB. Part it and import the parts.`);

const tooLong = (line: number): Failure =>
  unreadable(line, 'line_too_long', 'the line is longer than a megabyte. Is this a CSV file?');

const utf8Mark = Buffer.from([0xef, 0xbb, 0xbf]);
const utf16Marks = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

function withoutMark(block: Buffer): Buffer {
  if (utf16Marks.some((mark) => block.subarray(0, 2).equals(mark)))
    throw unreadable(1, 'wrong_encoding', 'the file is UTF-16. Save it as CSV UTF-8 and send that.');
  return block.subarray(0, 3).equals(utf8Mark) ? block.subarray(3) : block;
}

function mustBeText(block: Buffer, firstLine: number): void {
  if (isUtf8(block) && !block.includes(0)) return;
  let line = firstLine;
  for (let at = 0; at < block.length; line++) {
    const next = block.indexOf(newline, at) + 1 || block.length;
    const text = block.subarray(at, next);
    if (text.includes(0))
      throw unreadable(
        line,
        'not_text',
        'there is a NUL character. Save the file as CSV UTF-8 and send that.',
      );
    if (!isUtf8(text))
      throw unreadable(
        line,
        'wrong_encoding',
        'this is not UTF-8. Save the file as CSV UTF-8 and send that.',
      );
    at = next;
  }
}

function countLines(block: Buffer): number {
  let lines = 0;
  for (let at = block.indexOf(newline); at !== -1; at = block.indexOf(newline, at + 1)) lines += 1;
  return lines;
}
