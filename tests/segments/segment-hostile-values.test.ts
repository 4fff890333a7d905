import { beforeAll, expect, test } from 'vitest';
import { contentsOf } from '../support/org-contents.ts';
import { newSegment, refusal, whoMatches } from '../support/segment.ts';
import type { TestOrg } from '../support/test-org.ts';
import { spread } from '../support/spread.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { addNamed } from './add-named.ts';
import { whoPreviews } from './who-previews.ts';

const world = useWorld();

/** Texts that mean something to SQL, JSON, templates, patterns or JavaScript, and must mean nothing here. */
const marks = String.raw`' '' " \ \' $1 $$ ? -- /* ; E'\x27' % _ \% $.* {a,b} ["x"] \u0000 ->> ../../etc/passwd`;
const names = String.raw`{{first_name}} %s <script> .* (a+)+$ __proto__ constructor null true NaN 0 İ ﬃ 🙂`;
const statements = ["' or 1=1 --", "') or true; drop table people; --", "' union select * from api_keys --"];
const spaced = [
  '{"$gt": ""}',
  '$[*] ? (@ > 0)',
  '${process.env}',
  '<%= 1 %>',
  '`',
  '\r\nA: b',
  '\u202E',
  '\uFEFF',
];
const texts = [...marks.split(' '), ...names.split(' '), ...statements, ...spaced];

let org: TestOrg;
beforeAll(async () => {
  org = await world().newOrg();
  await org.rest('POST /v1/property-configs', { key: 'seats', name: 'Seats', type: 'number' });
  await org.person({ email: 'by@stander.com', first_name: 'By' });
});

test.each([
  ['SEG-024 SEG-043 SEG-044', { property: 'first_name' }],
  ['SEG-035 SEG-043 SEG-044', { custom_property_key: 'note' }],
])('%s what means something elsewhere is matched as it stands in %o', async (_, on) => {
  const own = await world().newOrg();
  await own.rest('POST /v1/property-configs', { key: 'note', name: 'Note', type: 'string' });
  const holders = await addNamed(world().admin, own, texts);
  const who = (condition: object) => whoMatches(own, holders, [{ ...on, ...condition }]);
  const previewed = (condition: object) => whoPreviews(own, holders, [{ ...on, ...condition }]);
  for (const value of spread(texts, 16)) {
    const [eq, isIn, neq, contains] = await Promise.all([
      previewed({ op: 'eq', value }),
      previewed({ op: 'in', values: [value, `${value} or not`] }),
      who({ op: 'neq', value }),
      who({ op: 'contains', value }),
    ]);
    expect([eq, isIn]).toEqual([[value], [value]]);
    expect(neq).toEqual(texts.filter((text) => text !== value).toSorted());
    const containing = texts.filter((text) => text.toLowerCase().includes(value.toLowerCase()));
    expect([value, ...contains]).toEqual([value, ...containing.toSorted()]);
  }
});

test('SEG-035 SEG-050 a property may have a name that every object has', async () => {
  const own = await world().newOrg();
  const people = { ada: await own.person({ first_name: 'Ada', email: 'ada@one.org' }) };
  for (const key of ['constructor', 'toString', 'valueOf']) {
    const has = { custom_property_key: key, op: 'is_not_empty' };
    expect((await refusal(own, [has])).errors).toMatchObject([{ code: 'unknown_property' }]);
    await own.rest('POST /v1/property-configs', { key, name: key, type: 'string' });
    expect(await whoMatches(own, people, [has])).toEqual([]);
    await own.rest(`PUT /v1/people/${people.ada}/properties/${key}`, { value: key });
    expect(await whoMatches(own, people, [has])).toEqual(['ada']);
  }
});

const named = (rest: string) => `{"property":"first_name",${rest}}`;
const equal = (value: string) => named(`"op":"eq","value":${value}`);
const nested = (open: string, close: string, times: number) => open.repeat(times) + close.repeat(times);
const megabyte = 'x'.repeat(1_000_000);
const many = (count: number, one: string) => Array.from({ length: count }, () => one).join(',');

/** Of a list of places the gate tries one for each value, and each place with some value. */
const some = <T>(at: number, places: readonly T[]): readonly T[] =>
  isLong ? places : [places[at % places.length]!];

/** Conditions as they go over the wire, some of which are no values any more once JavaScript has read them. */
const refused: Record<string, string> = {
  'a NUL': equal('"a\\u0000b"'),
  'a NUL among values': named('"op":"in","values":["By","\\u0000"]'),
  'a NUL in a key': '{"custom_property_key":"note\\u0000","op":"is_empty"}',
  'half a surrogate pair': equal('"\\ud800"'),
  'surrogates the wrong way round': named('"op":"contains","value":"\\udc00\\ud800"'),
  'a megabyte of text': equal(`"${megabyte}"`),
  'a megabyte to contain': named(`"op":"contains","value":"${megabyte}"`),
  'a megabyte among values': named(`"op":"in","values":["By","${megabyte}"]`),
  'a megabyte as a key': `{"custom_property_key":"${megabyte}","op":"is_empty"}`,
  'a megabyte as a field': `{"property":"${megabyte}","op":"is_empty"}`,
  'a megabyte as an operator': named(`"op":"${megabyte}","value":"By"`),
  'a megabyte as a name': named(`"op":"is_not_empty","${megabyte}":1`),
  'one letter too many': equal(`"${'x'.repeat(8193)}"`),
  '501 values': named(`"op":"in","values":[${many(501, '"By"')}]`),
  '21 conditions': many(21, equal('"By"')),
  '10,000 conditions': many(10_000, equal('"By"')),
  'more money than there is': '{"property":"mrr","op":"lt","value":1e14}',
  'more debt than there is': '{"property":"ltv","op":"gt","value":-1e14}',
  ...Object.fromEntries(
    ['1e400', '-1e400', `1${'0'.repeat(5000)}`, '"1e308"', 'null', '{"value":5}', '[5]'].flatMap(
      (value, at) =>
        some(at, ['"property":"mrr"', '"property":"health_score"', '"custom_property_key":"seats"']).map(
          (field) => [`${field} ${value.slice(0, 20)}`, `{${field},"op":"neq","value":${value}}`],
        ),
    ),
  ),
  'a nested value': equal(nested('[', ']', 20)),
  'a deep value': equal(nested('[', ']', 3000)),
  'a very deep value': equal(nested('[', ']', 200_000)),
  'a deep condition': nested('[', ']', 3000),
  'a deep object': equal('{"a":'.repeat(100) + '1' + '}'.repeat(100)),
  ...Object.fromEntries(
    ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length'].flatMap((name, at) =>
      some(at, [
        [`the field ${name}`, `{"property":"${name}","op":"is_not_empty"}`],
        [`the key ${name}`, `{"custom_property_key":"${name}","op":"is_empty"}`],
        [`the operator ${name}`, named(`"op":"${name}","value":"By"`)],
        [`a condition with ${name}`, named(`"op":"is_not_empty","${name}":{"op":"eq"}`)],
        [`a value with ${name}`, equal(`{"${name}":"By"}`)],
        [`the band ${name}`, `{"property":"health_band","op":"neq","value":"${name}"}`],
      ]),
    ),
  ),
  'all from a prototype': '{"__proto__":{"property":"first_name","op":"is_not_empty"}}',
};

test.each(Object.entries(refused))(
  'SEG-051 refused with 400 and nothing stored: %s',
  async (_, conditions) => {
    const segment_id = await newSegment(org, [{ property: 'first_name', op: 'eq', value: 'By' }]);
    const before = await contentsOf(world().admin, org);
    const filters = `"filters":[${conditions}]`;
    for (const [route, body] of [
      ['POST /v1/segments', `{"name":"Hostile",${filters}}`],
      ['POST /v1/segments/preview', `{${filters}}`],
      [`PATCH /v1/segments/${segment_id}`, `{${filters}}`],
    ] as const) {
      const answer = await org.rest(route, body);
      expect([route, answer.status]).toEqual([route, 400]);
      expect(JSON.stringify(answer.body).length).toBeLessThan(5_000);
    }
    const call = `{"name":"create_segment","arguments":{"name":"Hostile",${filters}}}`;
    const overTool = await org.rest(
      'POST /mcp',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${call}}`,
    );
    const { error, result } = overTool.body;
    expect(error?.code ?? result?.structuredContent.status).toBeOneOf([-32_700, -32_600, 400]);
    expect(await contentsOf(world().admin, org)).toEqual(before);
  },
);

test('more than a megabyte is refused as too large', async () => {
  const filters = `"filters":[${equal(`"${megabyte.repeat(2)}"`)}]`;
  expect((await org.rest('POST /v1/segments', `{"name":"Hostile",${filters}}`)).status).toBe(413);
});
