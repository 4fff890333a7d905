import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { codesOf } from '../../support/broadcast.ts';
import { contentsOf } from '../../support/org-contents.ts';
import { asProblem, problem } from '../../support/problem.ts';
import { useWorld } from '../../support/world.ts';
import { newSetting, planning, planSetting, type Setting } from './drift-setting.ts';
import { blockings, driftFirst, setAllowance, type Blocking } from './schedule-blocking-cases.ts';
import { faces } from './schedule-ways.ts';

const world = useWorld();
beforeEach(() => {
  world().clock.now = () => planning;
});

async function planned({ kind, prepare }: Blocking): Promise<Setting & { plan_token: string }> {
  const setting = await newSetting(world(), kind);
  await prepare?.(setting);
  const { plan_token } = await planSetting(setting);
  expect(typeof plan_token).toBe('string');
  return { ...setting, plan_token };
}

test.each(blockings)(
  'SCH-019 SCH-021 what came to block after the plan is refused: $code ($kind)',
  async (one) => {
    const { org, id, plan_token, ...setting } = await planned(one);
    await one.change({ org, id, ...setting });
    const before = await contentsOf(world().admin, org);
    const path = `/v1/broadcasts/${id}/schedule`;
    const answer = await org.rest(`POST ${path}`, { plan_token });
    expect(asProblem(answer)).toEqual(problem(400, 'plan_blocked', path));
    expect(answer.body.errors).toEqual([{ pointer: '/checks', code: one.code, detail: answer.body.detail }]);
    expect(await contentsOf(world().admin, org)).toEqual(before);
    expect((await org.rest(`GET /v1/broadcasts/${id}`)).body.broadcast.status).toBe('draft');
  },
);

test.each(driftFirst)(
  'SCH-019 SCH-021 a change that also blocks ($code) is told as a change first',
  async (one) => {
    const { org, id, plan_token, ...setting } = await planned(one);
    await one.change({ org, id, ...setting });
    const { status, body } = await org.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token });
    expect([status, body.code, body.errors[0].pointer]).toEqual([409, 'plan_stale', one.pointer]);
    const again = await org.rest(`POST /v1/broadcasts/${id}/plan`, {});
    expect(codesOf(again.body, 'error')).toContain(one.code);
    expect(again.body).not.toHaveProperty('plan_token');
  },
);

test.each(faces)('SCH-019 over $face everything that blocks is named at once', async ({ schedule }) => {
  const sender = blockings.find(({ code }) => code === 'sender_domain_unverified')!;
  const { org, id, plan_token, ...setting } = await planned(sender);
  await sender.change({ org, id, ...setting });
  await setAllowance(10)({ org, id, ...setting });
  const { status, body } = await schedule(org, id, { plan_token });
  expect([status, body.code]).toEqual([400, 'plan_blocked']);
  const codes = body.errors.map(({ code }: { code: string }) => code);
  expect(codes).toEqual(['sender_domain_unverified', 'allowance_used_up']);
});

test('every code that blocks is tried here', () => {
  const source = readFileSync(
    new URL('../../../src/domain/broadcasts/plan/plan-checks.ts', import.meta.url),
    'utf8',
  );
  const codes = new Set([...source.matchAll(/blocks\(\s*'(\w+)'/g)].map(([, code]) => code));
  expect(new Set([...blockings, ...driftFirst].map(({ code }) => code))).toEqual(codes);
});
