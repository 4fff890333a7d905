import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, test } from 'vitest';
import { checkBody } from '../../src/domain/content/body/check-body.ts';
import { checkHtml } from '../../src/domain/content/body/check-html.ts';
import { checkText } from '../../src/domain/content/body/check-text.ts';
import { allBad, allGood } from './bodies.ts';
import { measured } from '../support/measured.ts';
import { isLong } from '../support/volume.ts';

const filler = (bytes: number): string => '<p>Hello <em>there</em>, 50% &amp; more.</p>\n'.repeat(bytes / 44);

/** Milliseconds of processor time that this thread spent. */
const spent = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

describe('a long body, checked on another thread', () => {
  test('is answered as in place, whether good or bad', async () => {
    const some = (bodies: readonly string[]) => bodies.filter((_, at) => isLong || at % 8 === 0);
    const long = [...some(allGood), ...some(allBad)].map((body) => filler(9_000) + body);
    for (const body of long)
      expect(await checkBody('an organization', 'html', body)).toEqual(checkHtml(body));
  });

  test('does not keep this thread busy', measured, async () => {
    const body = filler(250_000);
    await checkBody('an organization', 'html', body);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const before = spent();
    const times = isLong ? 10 : 4;
    for (let time = 0; time < times; time++) await checkBody('an organization', 'html', body);
    const each = (spent() - before) / times;
    delay.disable();
    const start = spent();
    checkHtml(body);
    const inPlace = spent() - start;
    // In place it takes a hundred milliseconds. What is left here is the message and the answer, as JSON.
    expect(each).toBeLessThan(inPlace / 4);
    // Other processes may keep this one waiting, so the bound is generous.
    expect(delay.percentile(50) / 1e6).toBeLessThan(inPlace / 2);
  });

  test('does not disturb others asked at the same time', async () => {
    const numbers = Array.from({ length: 60 }, (_, index) => index);
    const answers = await Promise.all(
      numbers.map((number) =>
        // Few of each organization: its places rest.
        checkBody(`organization ${number % 6}`, 'html', `${filler(10_000)}<p>{{var_${number}}}</p>`),
      ),
    );
    for (const [number, answer] of answers.entries()) {
      expect('body' in answer && answer.body.placeholders).toEqual([`var_${number}`]);
    }
  });

  test('is refused at once when it is too long', async () => {
    const check = await checkBody('an organization', 'html', 'x'.repeat(300_000));
    expect(check).toMatchObject({ findings: [{ code: 'too_long' }] });
  });
});

test('short bodies and text messages are answered in place, the same way', async () => {
  for (const body of [...allGood, ...allBad]) {
    expect(await checkBody('an organization', 'html', body)).toEqual(checkHtml(body));
    expect(await checkBody('an organization', 'text', body)).toEqual(checkText(body));
  }
});

/** A quarter of a megabyte of one thing. Whatever takes more than linear time would show here by minutes. */
const pathological: Readonly<Record<string, string>> = {
  'signs that begin tags': '<'.repeat(262_144),
  'elements in elements': '<em>'.repeat(65_536),
  'elements in elements, closed': '<em>'.repeat(29_000) + '</em>'.repeat(29_000),
  'lists in lists': '<ul><li>'.repeat(32_768),
  'end tags of nothing, deep within others': '<em>'.repeat(32_000) + '</p>'.repeat(32_000),
  'tags that overlap': '<em><strong></em></strong>'.repeat(10_000),
  'links in links': '<a href="https://a.co">'.repeat(11_000),
  'paragraphs left open': '<p>x'.repeat(65_536),
  attributes: `<p ${Array.from({ length: 20_000 }, (_, index) => `a${index}=1`).join(' ')}>`,
  'attributes twice': `<p ${'x '.repeat(131_000)}>`,
  'attributes without an end': `<p ${'a="'.repeat(87_000)}`,
  references: '&amp;'.repeat(26_000) + '{{x}}'.repeat(26_000),
  'references to nothing': '&a;'.repeat(87_000),
  braces: '{'.repeat(262_144),
  'pairs of braces': '{{ '.repeat(87_000),
  'placeholders almost': `{{var_${'a'.repeat(64)}`.repeat(3_700),
  placeholders: '<em>{{var_a}}</em>'.repeat(14_000),
  'placeholders split': '{{var_<em>a</em>}}'.repeat(14_000),
  'control characters': '\u0001'.repeat(262_144),
  'comments in a comment': `<!--${'<!--'.repeat(65_000)}`,
  'scripts in a script': `<script>${'<!--<script>'.repeat(21_000)}`,
  'lists with loose text': '<ul> x'.repeat(43_000),
  'hosts with many names': `<a href="https://${'a.'.repeat(4_080)}1">x</a>`.repeat(31),
  'mail to many': `<a href="mailto:${'a@b.co,'.repeat(1_160)}">x</a>`.repeat(31),
  'element names': Array.from({ length: 30_000 }, (_, index) => `<x${index}>`)
    .join('')
    .slice(0, 262_000),
};

test.each(Object.entries(pathological))(
  'a body of nothing but %s takes no time to speak of',
  measured,
  (_, body) => {
    if (isLong) checkHtml(body); // compiled before it is measured
    const before = spent();
    checkHtml(body);
    expect(spent() - before).toBeLessThan(3_000);
  },
);
