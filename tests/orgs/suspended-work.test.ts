import { expect, test } from 'vitest';
import { sendTest } from '../../src/domain/broadcasts/sending/send-test.ts';
import { runImport } from '../../src/domain/imports/commit/run-import.ts';
import { ring } from '../../src/domain/workflows/runs/ring.ts';
import { sweep } from '../../src/durable/sweep.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { newId } from '../../src/kernel/ids.ts';
import { committing, runParts } from '../imports/committing.ts';
import { newDraft } from '../support/broadcast.ts';
import { resume, suspend } from '../support/org-state.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { always } from '../support/providers.ts';

const world = useWorld();

const rowsOf = async (question: string, org: TestOrg) => (await world().admin.query(question, [org.id])).rows;

test('an import pauses while its organization is suspended, and is committed after', async () => {
  const org = await world().newOrg();
  const import_id = await committing(world(), org, {
    rows: [{ email: 'a@example.com' }, { email: 'b@example.com' }],
  });
  const ref = { org_id: org.id, import_id };
  await suspend(world(), org);
  expect(await runImport(runParts(world()), ref)).toMatchObject({ rows: 0 });
  expect((await org.rest('GET /v1/people')).body.people).toEqual([]);
  await resume(world(), org);
  expect(await runImport(runParts(world()), ref)).toEqual({ outcome: 'done', rows: 2 });
});

test('a clock does not ring and a test is not sent, and both wait in their rows', async () => {
  const org = await world().newOrg();
  const { id } = await newDraft(org, { audience: 'everyone' });
  const at = new Date(Date.now() - 1_000);
  const test_send_id = newId(at);
  const clock_id = newId(at);
  const { admin } = world();
  await admin.query('insert into wait_clocks (org_id, id, next_at) values ($1, $2, $3)', [
    org.id,
    clock_id,
    at,
  ]);
  await admin.query(
    `insert into test_sends (org_id, id, broadcast_id, addresses, messages, created_at)
     values ($1, $2, $3, '{a@example.com}', 1, $4)`,
    [org.id, test_send_id, id, at],
  );
  await suspend(world(), org);
  const parts = {
    ...runParts(world()),
    clock: systemClock,
    providers: always(),
  };
  const rung = await ring(parts, { org_id: org.id, clock_id, at, holder: 'a test' });
  expect(rung).toEqual({ outcome: 'moved_on', released: 0 });
  expect(await sendTest(parts, { org_id: org.id, test_send_id })).toEqual([]);
  expect(await rowsOf('select busy_by from wait_clocks where org_id = $1', org)).toEqual([{ busy_by: null }]);
  expect(await rowsOf('select taken_at from test_sends where org_id = $1', org)).toEqual([
    { taken_at: null },
  ]);
});

test('the engine is told of what is due only once the organization is active', async () => {
  const org = await world().newOrg();
  await committing(world(), org, { rows: [{ email: 'a@example.com' }] });
  await suspend(world(), org);
  const told = 'select service from outbox where org_id = $1';
  await sweep(world().database, new Date(Date.now() + 120_000));
  expect(await rowsOf(told, org)).toEqual([]);
  await resume(world(), org);
  await sweep(world().database, new Date(Date.now() + 120_000));
  expect(await rowsOf(told, org)).toEqual([{ service: 'ImportRun' }]);
});
