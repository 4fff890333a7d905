import fc from 'fast-check';

const text = (value: string): string => JSON.stringify(value);
const words = (line: string): string[] => line.split(' ');

const otherTypes = words('null true false 0 -1 1.5 [] {} [null] [[]] [{}] {"a":1} "" {"a":1,"a":2}');
const numbersAtTheEdge = words(
  '-0 1e308 1e400 -1e400 1e-400 9007199254740993 -9223372036854775809 1e13 100000001',
);
const notJson = words(`NaN Infinity undefined 01 .5 'a' "a { } /*`);
const unkeepable = words(String.raw`"\u0000" "a\u0000b" "\ud800" "\udc00\ud800"`);
/** Letters that grow when they are folded, trimmed or measured in another unit. */
const growing = ['İ', 'ß', 'ﬃ', '𝔘', '\u0301', '％', '\u202E', '\uFEFF', ' a'];
const meaningElsewhere = [
  "' or 1=1 --",
  '%',
  '_',
  '\\',
  '$1',
  '{{var}}',
  '../../etc',
  '<script>',
  '\r\nA: b',
];
const nearlyAddresses = words('@ a@ a@b a@b@c');
const nearlyIds = words('00000000-0000-0000-0000-000000000000 FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF');
const nearlyMoments = words(
  '0000-01-01T00:00:00Z 9999-12-31T23:59:59.999999999Z 2030-02-30T00:00:00Z 2030-01-01 2030-01-01T24:00:00Z ' +
    '0001-01-01T00:00:00+23:59 9999-12-31T23:59:59-23:59 -271821-04-20T00:00:00Z now infinity',
);
const namesObjectsHave = words(
  '__proto__ constructor prototype toString hasOwnProperty valueOf toJSON then length',
);
const nested = (open: string, inner: string, close: string, times: number): string =>
  open.repeat(times) + inner + close.repeat(times);

/** Values as JSON text, because some of them are no values any more once JavaScript has read them. */
export const badValues: readonly string[] = [
  ...otherTypes,
  ...numbersAtTheEdge,
  `1${'0'.repeat(5_000)}`,
  ...notJson,
  ...unkeepable,
  ...growing.flatMap((letter) => [text(letter.repeat(100)), text(letter.repeat(512))]),
  text(`${'İ'.repeat(300)}@example.com`),
  ...[...meaningElsewhere, ...nearlyAddresses, ...nearlyIds, ...nearlyMoments].map(text),
  ...namesObjectsHave.flatMap((name) => [text(name), `{"${name}":{"polluted":true}}`, `{"${name}":1e9}`]),
  '{"constructor":{"prototype":{"polluted":true}}}',
  String.raw`{"__pr\u006fto__":{"polluted":true}}`,
  text('a'.repeat(10_000)),
  text('_'.repeat(100)),
  nested('[', '', ']', 40),
  nested('{"a":', '1', '}', 40),
];

/** Each nearly as large as a body may be. */
export const largeValues = (room: number): readonly string[] => [
  text('a'.repeat(room)),
  text('\u0001'.repeat(room / 6)),
  nested('[', '', ']', room / 2),
  nested('{"a":', '1', '}', room / 6),
  `[${'0,'.repeat(room / 2 - 1)}0]`,
  `{${Array.from({ length: room / 12 }, (_, index) => `"${index.toString(36)}":1`).join(',')}}`,
];

/** Whatever else there is, JSON or not. */
export const anyValue: fc.Arbitrary<string> = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value)),
  fc.string({ unit: 'binary', maxLength: 40 }).map(text),
  fc.double().map(String),
  fc.string({ maxLength: 20 }),
);

/** The same for paths and queries, escaped as far as HTTP itself asks for. */
export const badWords: readonly string[] = [
  '',
  ...words('%20 null true NaN Infinity -0 1e400 -1 1.5 0x10 1e13 201 {} [] [object%20Object]'),
  ...words('% %zz %c3 %ff %ed%a0%80 %c0%80 %00 a%00b %0d%0aX:%20y %5c %25 + %2b %26 %3d'),
  ...words(`. .. %2e%2e%2f %2f ..%2f..%2fetc%2fpasswd %3Cscript%3E '%20or%201=1%20-- %F0%9D%94%98 %E0%A5%A7`),
  ...namesObjectsHave,
  ...nearlyAddresses,
  ...nearlyIds,
  ...nearlyMoments,
  ...[100, 199, 201, 512, 513, 5_000, 14_000, 20_000, 100_000].map((length) => 'a'.repeat(length)),
];
