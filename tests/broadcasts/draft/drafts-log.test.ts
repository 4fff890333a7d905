import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { inHours, newDraft, plan, setLayout } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import { contentsOf } from '../../support/org-contents.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { create, faces, update, type Fields } from './draft-ways.ts';

const world = useWorld();

const variable = '{{context.root_context.org_user.first_name}}';
/** Words that could be found nowhere by chance. */
const telling = (sender_id: string): Fields => ({
  audience: 'everyone',
  subject: 'Zyxsubject',
  preview_text: 'Zyxpreview',
  html: '<p>Zyxbody {{var_a}}</p>',
  variables: { var_a: { variable, fallback: 'Zyxfallback', template: 'Zyxtemplate {{var}}' } },
  sender_id,
});

interface Row {
  readonly operation: string;
  readonly ids: unknown;
  readonly reason: unknown;
  readonly face: string;
  readonly actor_id: string;
}

const auditOf = async (org: TestOrg): Promise<Row[]> =>
  ((await contentsOf(world().admin, org))['audit_log'] as Row[]).filter(({ operation }) =>
    operation.endsWith('_broadcast'),
  );

test('every write of a broadcast is in the audit log, with its id alone', async () => {
  const org = await world().newOrg();
  await setLayout(org);
  const sender_id = await newSender(world(), org, { email: `zyx-${randomUUID()}@zyxsender.test` });
  await org.person({ email: 'zyxreader@example.com', first_name: 'Zyxname' });
  const { id } = await newDraft(org, telling(sender_id));
  await update.tool(org, id, { subject: 'Zyxother', html: '<h1>Zyxother</h1>' });
  const { plan_token } = await plan(org, id, inHours(24));
  await org.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token });
  await org.tool('unschedule_broadcast', { broadcast_id: id });
  await org.rest(`DELETE /v1/broadcasts/${id}`);
  const rows = (await auditOf(org)).toSorted((one, other) => (one.operation < other.operation ? -1 : 1));
  const row = (operation: string, face: string) => ({
    operation,
    face,
    actor_id: org.keyId,
    ids: { broadcast_id: id },
    reason: null,
  });
  expect(rows).toMatchObject([
    row('create_broadcast', 'rest'),
    row('delete_broadcast', 'rest'),
    row('schedule_broadcast', 'rest'),
    row('unschedule_broadcast', 'mcp'),
    row('update_broadcast', 'mcp'),
  ]);
});

test('no word of a broadcast is in the audit log, in the outbox or in a log line, taken or refused', async () => {
  const org = await world().newOrg();
  await setLayout(org, { company_name: 'Zyxcompany', postal_address: 'Zyxstreet 1' });
  const sender_id = await newSender(world(), org, { email: 'zyxnews@zyxsender.test' });
  const person_id = await org.person({ email: 'zyxreader@example.com', first_name: 'Zyxname' });
  for (const face of faces) {
    const { id } = (await create[face](org, telling(sender_id))).body.broadcast;
    await create[face](org, { ...telling(sender_id), subject: 'Zyxwrong {{var_a}}', zyxfield: 'Zyxvalue' });
    await create[face](org, { ...telling(sender_id), html: '<zyxtag>Zyxwrong</zyxtag>' });
    await update[face](org, id, {
      html: '<p>{{zyxplaceholder}}</p>',
      variables: { var_zyx: { variable: 'zyx' } },
    });
    await update[face](org, id, {
      preview_text: 'Zyxchanged',
      variables: { var_a: { variable, fallback: 'Zyx' } },
    });
    const { plan_token } = await plan(org, id, inHours(24));
    await org.tool('plan_broadcast', { broadcast_id: id, send_at: 'zyxtime' });
    await org.rest(`POST /v1/broadcasts/${id}/preview`, { person_id });
    await org.rest(`GET /v1/broadcasts/${id}`);
    await org.rest('GET /v1/broadcasts?status=zyxstatus');
    await org.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token: 'zyxtoken' });
    expect((await org.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token })).status).toBe(200);
    await update[face](org, id, { subject: 'Zyxtoolate' });
  }
  const { rows } = await world().admin.query<{ text: string }>(
    `select a::text as text from audit_log a where org_id = $1 and operation like '%broadcast'
     union all select o::text from outbox o where org_id = $1`,
    [org.id],
  );
  expect(rows.length).toBeGreaterThanOrEqual(8);
  expect(rows.filter(({ text }) => /zyx/i.test(text))).toEqual([]);
  expect(world().logLines.length).toBeGreaterThan(20);
  expect(world().logLines.filter((line) => /zyx/i.test(line))).toEqual([]);
});
