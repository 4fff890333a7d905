import { expect, test } from 'vitest';
import { seenText } from '../../../src/domain/content/variables/coverage-sql.ts';
import { plan, readyDraft } from '../../support/broadcast.ts';
import { seed, volume } from '../../support/volume.ts';
import { useWorld } from '../../support/world.ts';
import { Random } from '../../segments/random.ts';
import { codePoints } from './code-points.ts';
import { newConfig, patch, setProperty } from './plan-support.ts';

const world = useWorld();

const property = '{{context.root_context.org_user.custom_properties.renews}}';

test('what cannot be seen is no value, of every character and in every collation', async () => {
  const { rows } = await world().admin.query<{ unseen: number[] }>(
    `select array_agg(n order by n) as unseen from unnest($2::int[]) n
     where not (chr(n) collate "C" ~ $1 and chr(n) collate "und-x-icu" ~ $1)`,
    [seenText, codePoints],
  );
  const unseen = codePoints.filter((n) => /[\s\p{Cc}\p{Cf}]/u.test(String.fromCodePoint(n)));
  expect(rows[0]!.unseen).toEqual(unseen);
});

const whole = ['2026-05-01T10:20:30.123+02:00', '2028-02-29', '2026-12-31 23:59', '0400-02-29T00:00Z'];
const signs = [...Array(10).keys(), '-', '+', ':', '.', ',', 'T', 'z', ' ', '\u00a0', '\n', 'x', '٣'].map(
  String,
);

/** A date with a sign or two changed, put in or taken out: mostly no date, and sometimes still one. */
function nearDate(random: Random): string {
  let text = random.pick(whole);
  for (let changes = random.int(0, 2); changes > 0; changes--) {
    const at = random.int(0, text.length);
    text = text.slice(0, at) + random.pick([random.pick(signs), '']) + text.slice(at + random.int(0, 1));
  }
  return random.chance(0.1) ? ` ${text}\n` : text;
}

const atOnce = 60; // an organization may have 160 calls under way

test('PLN-036 a text read as a date counts as a value exactly when it is one', async () => {
  const org = await world().newOrg();
  await newConfig(org, 'renews');
  const definition = { variable: property, fallback: '-', date_format: 'yyyy-MM-dd' };
  const { id } = await readyDraft(world(), org, {
    html: '<p>{{var_when}}</p>',
    variables: { var_when: definition },
  });
  const random = new Random(seed);
  const texts = Array.from({ length: volume(600) }, () => nearDate(random));
  const readOne = async (text: string, n: number) => {
    const person = await org.person({ email: `p${n}@example.com` });
    await setProperty(org, person, 'renews', text);
    const { body } = await org.rest(`POST /v1/broadcasts/${id}/preview`, { person_id: person });
    return { text, written: !body.text.startsWith('-') };
  };
  const read: Awaited<ReturnType<typeof readOne>>[] = [];
  while (read.length < texts.length) {
    const from = read.length;
    read.push(
      ...(await Promise.all(texts.slice(from, from + atOnce).map((text, n) => readOne(text, from + n)))),
    );
  }
  const written = read.filter((one) => one.written);
  expect(written.length / texts.length).toBeGreaterThan(0.1);
  expect(written.length / texts.length).toBeLessThan(0.9);
  const [coverage] = (await plan(org, id)).variables;
  const told = JSON.stringify(written.map(({ text }) => text));
  expect(coverage, `seed ${seed}: ${told}`).toMatchObject({
    with_value: written.length,
    with_fallback: texts.length + 1 - written.length,
  });
  await patch(org, id, { variables: { var_when: { variable: property, fallback: '-' } } });
  expect((await plan(org, id)).variables[0]).toMatchObject({
    with_fallback: 1 + texts.filter((text) => text.trim() === '').length,
  });
});
