import { beforeAll, expect, test } from 'vitest';
import { plannedThings } from '../../../src/domain/broadcasts/plan/planned-things.ts';
import { codesOf } from '../../support/broadcast.ts';
import { contentsOf } from '../../support/org-contents.ts';
import { asProblem, problem } from '../../support/problem.ts';
import { useWorld } from '../../support/world.ts';
import { isLong } from '../../support/volume.ts';
import { drifts, type Drift } from './drift-cases.ts';
import { inputsOf, kinds, newSetting, planning, planSetting } from './drift-setting.ts';
import { faces, rest } from './schedule-ways.ts';

const world = useWorld();
beforeAll(() => {
  world().clock.now = () => planning;
});

interface Told {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** What is said of one that changed. Digests stand beside the words: two things may read alike. */
function sayingOf({ pointer, before, after }: Drift): RegExp {
  if (pointer === '/revision')
    return new RegExp(`: revision ${before} was planned, ${after} is there now\\.$`);
  const thing = (shown: string | null) =>
    shown === null ? 'not set' : `“${shown.replaceAll(/[{}+]/g, '\\$&')}[^”]*” \\([\\w-]{8}\\)`;
  return new RegExp(`^${pointer.slice(1)} was ${thing(before)} when planned and is ${thing(after)} now\\.$`);
}

test.each(drifts)('SCH-021 $rule a plan is stale because of $cause ($pointer)', async (drift) => {
  const setting = await newSetting(world(), drift.kind);
  const { org, id } = setting;
  const { plan_token } = await planSetting(setting);
  await drift.change(setting);
  // To read all of an organization takes longer than all the rest: the gate looks at every fourth.
  const isLookedAt = isLong || drifts.indexOf(drift) % 4 === 0;
  const contents = async () => (isLookedAt ? contentsOf(world().admin, org) : undefined);
  const before = await contents();
  const path = `/v1/broadcasts/${id}/schedule`;

  const answer = await org.rest(`POST ${path}`, { plan_token });
  expect(asProblem(answer)).toEqual(problem(409, 'plan_stale', path));
  const errors: Told[] = answer.body.errors;
  expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual([drift.pointer, ...drift.also].toSorted());
  for (const { pointer, code } of errors) {
    expect(code).toBe('changed');
    expect(answer.body.detail).toContain(pointer.slice(1));
  }
  const told = errors.find(({ pointer }) => pointer === drift.pointer)!.detail;
  expect(told).toMatch(sayingOf(drift));
  const digests = told.match(/\([\w-]{8}\)/g) ?? [];
  expect(new Set(digests).size).toBe(digests.length);

  expect(await contents()).toEqual(before);
  expect((await org.rest(`GET /v1/broadcasts/${id}`)).body.broadcast.status).toBe('draft');

  const again = await planSetting(setting);
  expect(codesOf(again, 'error')).toEqual(drift.blocked === undefined ? [] : [drift.blocked]);
  if (drift.blocked !== undefined) return;
  const scheduled = await rest.schedule(org, id, { plan_token: again.plan_token });
  expect(scheduled).toMatchObject({ status: 200, body: { broadcast: { status: 'scheduled' } } });
});

/** Nothing of these is sent, nor decides who gets it or when. */
const neverPlanned = new Set(['description', 'color', 'preset', 'not_ready_reason', 'set_aside']);

test('the table holds every thing that a plan can depend on', async () => {
  const inputs = await Promise.all(kinds.map(async (kind) => inputsOf(await newSetting(world(), kind))));
  const pointers = new Set(inputs.flatMap((each) => Object.keys(plannedThings(each, 'salt'))));
  expect(new Set(drifts.map(({ pointer }) => pointer))).toEqual(pointers.add('/revision'));
  // What is null in every draft here would not show, so nothing may be.
  for (const part of ['draft', 'segment', 'webinar', 'sender', 'layout'] as const) {
    const fields = inputs.flatMap((each) => Object.entries(each[part] ?? {}));
    const set = new Set(fields.filter(([, value]) => value !== null).map(([field]) => field));
    const unset = fields
      .map(([field]) => field)
      .filter((field) => !set.has(field) && !neverPlanned.has(field));
    expect([part, ...unset]).toEqual([part]);
  }
});

test.each(faces)('SCH-012 SCH-021 over $face a stale plan is told with the same things', async (face) => {
  const setting = await newSetting(world(), 'everyone');
  const { plan_token } = await planSetting(setting);
  await setting.patch({ subject: 'Goodbye', preview_text: null });
  const { status, body } = await face.schedule(setting.org, setting.id, { plan_token });
  expect([status, body.code]).toEqual([409, 'plan_stale']);
  expect(body.detail).toBe(
    'The broadcast changed after it was planned (subject, preview_text). Plan it again.',
  );
  expect(body.errors.map(({ pointer }: Told) => pointer)).toEqual(['/subject', '/preview_text']);
});
