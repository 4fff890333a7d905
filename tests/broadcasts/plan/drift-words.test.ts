import { beforeAll, expect, test } from 'vitest';
import { inHours, plan } from '../../support/broadcast.ts';
import { useWorld } from '../../support/world.ts';
import { newSetting, planning } from './drift-setting.ts';
import { faces } from './schedule-ways.ts';

const world = useWorld();
beforeAll(() => {
  world().clock.now = () => planning;
});

const hostile = [
  ['an emoji where the words are cut', `${'x'.repeat(39)}🎉 and more`],
  ['emoji and nothing else', '🎉'.repeat(60)],
  ['letters of many bytes', 'Прощание '.repeat(20)],
  ['quotes and markup', '”<script>“\\"\'&amp;%00'],
] as const;

test.each(hostile.flatMap(([title, subject]) => faces.map((face) => ({ title, subject, ...face }))))(
  'SCH-012 a stale plan is told over $face with words that anybody can read: $title',
  async ({ subject, schedule }) => {
    const { org, id, patch } = await newSetting(world(), 'everyone');
    await patch({ subject });
    const { plan_token } = await plan(org, id, inHours(24, planning));
    await patch({ subject: `Not ${subject}` });
    const { status, body } = await schedule(org, id, { plan_token });
    expect([status, body.code]).toEqual([409, 'plan_stale']);
    const [{ pointer, detail }] = body.errors;
    expect(pointer).toBe('/subject');
    // Half of a letter is no text: a strict reader of JSON refuses the whole answer for it.
    expect(detail.isWellFormed()).toBe(true);
    expect(detail).toContain(`“${subject.slice(0, 20)}`);
    expect(detail.length).toBeLessThan(300);
  },
);
