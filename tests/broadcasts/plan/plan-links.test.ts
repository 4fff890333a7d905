import { expect, test } from 'vitest';
import { invisible, isLink } from '../../../src/domain/content/variables/link-sql.ts';
import { sql } from 'kysely';
import { wrongWithLink } from '../../../src/kernel/link.ts';
import { custom } from '../../content/paths.ts';
import { plan, readyDraft } from '../../support/broadcast.ts';
import { seed, volume } from '../../support/volume.ts';
import { useWorld } from '../../support/world.ts';
import { Random } from '../../segments/random.ts';
import { codePoints } from './code-points.ts';
import { newConfig, patch, setProperty, type Json } from './plan-support.ts';

const world = useWorld();

test('PLN-036 a property that is no whole address counts as no value of a link, and without a fallback the plan warns of it', async () => {
  const org = await world().newOrg();
  await newConfig(org, 'page');
  const html = '<p><a href="{{link_var_page}}">Your page</a> {{var_page}}</p>';
  const variable = custom('page');
  const variables = { link_var_page: { variable }, var_page: { variable, fallback: '-' } };
  const { id } = await readyDraft(world(), org, { html, variables }); // its reader has no page
  for (const [n, page] of [
    'www.example.com/page',
    'https://example.com/page',
    ' HTTPS://example.com ',
  ].entries()) {
    await setProperty(org, await org.person({ email: `p${n}@example.com` }), 'page', page);
  }
  const planned = await plan(org, id);
  expect(planned.variables).toMatchObject([
    { name: 'var_page', with_value: 3, with_fallback: 1 },
    { name: 'link_var_page', with_value: 2, with_fallback: 2 },
  ]);
  const unresolvable = planned.checks.filter(({ code }: Json) => code === 'variable_unresolvable');
  expect(unresolvable).toMatchObject([{ level: 'warning', count: 2 }]);
  expect(unresolvable[0].message).toMatch(/2 .*no whole address.*link_var_page.*leads nowhere/);

  const fallback = 'https://example.com/all';
  await patch(org, id, { variables: { ...variables, link_var_page: { variable, fallback } } });
  const again = await plan(org, id);
  expect(again.checks.map(({ code }: Json) => code)).not.toContain('variable_unresolvable');
  expect(again.variables[1]).toMatchObject({ with_value: 2, with_fallback: 2 });
});

const whole = [
  'https://example.com/a%20b?x=1#y',
  'http://sub.ex-ample.co:8080/',
  'https://127.0.0.1:65535',
  'https://localhost?q',
  'mailto:a.b+c@example.com,d@example.org?subject=Hi%20you&body=a%0d%0ab&cc=x@y.zz',
  'mailto:?bcc=a@b.co',
  'tel:+1(555)123-4567;ext=12',
  'www.example.com/page',
  'https://xn--bcher-kva.example/',
];
const signs = [
  ...'/:?#%@.,-_+&=;"<>\\^`{|} \n\t\u00a0\u200b\ue000\ufe0fK\u212a\u017fxX09aFtel'.split(''),
  '%0',
  '25',
  '256',
  '00',
  'xn',
];

/** A link with some signs changed, put in or taken out: mostly none, and often still one. */
function nearLink(random: Random): string {
  let text = random.pick(whole);
  for (let changes = random.int(0, 3); changes > 0; changes--) {
    const at = random.int(0, text.length);
    text = text.slice(0, at) + random.pick([random.pick(signs), '']) + text.slice(at + random.int(0, 2));
  }
  return random.chance(0.1) ? ` ${text}\n` : text;
}

/** Which of the texts PostgreSQL takes for links. */
async function linksAmong(texts: readonly string[]): Promise<boolean[]> {
  const { database } = world();
  const { rows } = await sql<{ is: boolean }>`
    select ${isLink(sql`t`)} as is from unnest(${texts}::text[]) with ordinality u(t, n) order by n`.execute(
    database,
  );
  return rows.map((row) => row.is);
}

test('PLN-036 what counts as a link in a plan is what is sent as one', async () => {
  const random = new Random(seed);
  // Not told apart in SQL: names in another alphabet, and port 0.
  const untold = /(?<!\/\/)xn-|xn-(?!-bcher-kva\.example)|:0+(?!\d)/i;
  const texts = Array.from({ length: volume(20_000) }, () => nearLink(random)).filter(
    (text) => !untold.test(text),
  );
  const isSent = texts.map((text) => wrongWithLink(text.trim()) === undefined);
  const share = isSent.filter(Boolean).length / texts.length;
  expect(share).toBeGreaterThan(0.2);
  expect(share).toBeLessThan(0.8);
  const counted = await linksAmong(texts);
  expect(
    texts.filter((_, at) => counted[at] !== isSent[at]),
    `seed ${seed}`,
  ).toEqual([]);
});

test('no character that a link cannot hold counts as part of one', async () => {
  const { rows } = await world().admin.query<{ held: number[] }>(
    `select array_agg(n order by n) as held from unnest($2::int[]) n where chr(n) ~* $1`,
    [`[${invisible}]`, codePoints],
  );
  const unfit = [];
  for (const n of codePoints) {
    const isPlain = n > 0x20 && n < 0x7f;
    if (!isPlain && wrongWithLink(`https://a.co/${String.fromCodePoint(n)}`) !== undefined) unfit.push(n);
  }
  expect(rows[0]!.held).toEqual(unfit);
});
