import { expect, test } from 'vitest';
import { isAnswered, readBlocks } from '../../scripts/docs/read-blocks.ts';

const page = [
  'A page.',
  '```sh',
  'echo one',
  '```',
  '',
  '```',
  'one',
  '```',
  '```sh no-run: needs a friend',
  'echo two',
  '```',
  'Words in between.',
  '```',
  'two',
  '```',
  '```json',
  '{}',
  '```',
].join('\n');

test('the shell blocks of a page are read with their marks, lines and answers', () => {
  expect(readBlocks(page)).toEqual([
    { info: 'sh', line: 3, commands: 'echo one\n', answer: 'one\n' },
    { info: 'sh no-run: needs a friend', line: 10, commands: 'echo two\n', answer: undefined },
  ]);
});

test('an answer is what the page says, wherever its lines break and whatever stands for …', () => {
  const said = '{"id":"01a1","name":"Sam",\n "kind":"person"}\n';
  expect(isAnswered(said, '{"id":"…","name":"Sam",…}')).toBe(true);
  expect(isAnswered(said, '{"id":"…","name":"Alex",…}')).toBe(false);
  expect(isAnswered(said, '"kind"…"name"')).toBe(false);
});
