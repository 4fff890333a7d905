import { expect, test } from 'vitest';
import { newDraft, newWebinar } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import { contentsOf } from '../../support/org-contents.ts';
import { newSegment } from '../../support/segment.ts';
import { useWorld } from '../../support/world.ts';
import { faces, read, update, type Fields } from './draft-ways.ts';
import { whileItIs } from '../plan/plan-support.ts';

const world = useWorld();

const variable = '{{context.root_context.org_user.first_name}}';

test('a change that changes nothing writes nothing: no revision, no moment, no audit row', async () => {
  const org = await world().newOrg();
  const segment_id = await newSegment(org, [{ property: 'primary_email', op: 'is_not_empty' }]);
  const webinar_id = await newWebinar(world(), org);
  const sender_id = await newSender(world(), org);
  const first = { variable, fallback: 'b', template: 'a {{var}}', date_format: null, text_format: 'name' };
  const variables = { var_b: first, var_a: { ...first, text_format: null } };
  const email = {
    subject: 'Hello',
    preview_text: 'Inside',
    html: '<p>{{var_a}} {{var_b}}</p>',
    variables,
    sender_id,
  };
  const timing = { webinar_audience: 'no_show', webinar_offset_minutes: 1.5, webinar_anchor: 'end' };
  const drafts: Fields[] = [
    { audience: 'everyone', ...email },
    { channel: 'email', audience: 'segment', segment_id, ...email },
    { audience: 'webinar', webinar_id, ...timing, ...email },
    { channel: 'sms', audience: 'webinar', webinar_id, ...timing, message_body: 'Hi {{var_a}}', variables },
  ];
  for (const sent of drafts) {
    const broadcast = await newDraft(org, sent);
    const before = await contentsOf(world().admin, org);
    await whileItIs(world(), new Date(Date.now() + 3_600_000).toISOString(), async () => {
      const single = Object.entries(sent).map(([field, value]) => ({ [field]: value }));
      for (const same of [{}, sent, { ...sent, variables: broadcast.variables }, ...single]) {
        for (const face of faces) {
          const { status, body } = await update[face](org, broadcast.id, same);
          expect({ same, status, body }).toEqual({ same, status: 200, body: { broadcast } });
        }
      }
    });
    expect(await contentsOf(world().admin, org)).toEqual(before);
    expect(await revisionOf(broadcast.id)).toBe(1);
  }
});

test('nor does one that clears what is not there', async () => {
  const org = await world().newOrg();
  const webinar_id = await newWebinar(world(), org);
  const none = { preview_text: null, sender_id: null, webinar_offset_minutes: null };
  const toWebinar = { audience: 'webinar', webinar_id };
  for (const sent of [{ audience: 'everyone' }, toWebinar, { channel: 'sms', ...toWebinar }]) {
    const broadcast = await newDraft(org, sent);
    const before = await contentsOf(world().admin, org);
    for (const face of faces) {
      expect((await update[face](org, broadcast.id, none)).body).toEqual({ broadcast });
    }
    expect(await contentsOf(world().admin, org)).toEqual(before);
  }
});

test('each change counts the revision up by one', async () => {
  const org = await world().newOrg();
  const { id } = await newDraft(org, { audience: 'everyone' });
  for (const [at, subject] of ['One', 'Two', 'Two', 'One'].entries()) {
    await update[faces[at % 2]!](org, id, { subject });
  }
  expect(await revisionOf(id)).toBe(4);
  expect((await read(org, id)).subject).toBe('One');
  const { audit_log } = await contentsOf(world().admin, org);
  expect(audit_log!.map((row) => (row as { operation: string }).operation).toSorted()).toEqual([
    'create_broadcast',
    ...Array.from({ length: 3 }, () => 'update_broadcast'),
  ]);
});

async function revisionOf(id: string): Promise<number> {
  const { rows } = await world().admin.query<{ revision: string }>(
    'select revision from broadcasts where id = $1',
    [id],
  );
  return Number(rows[0]!.revision);
}

test('a change of an older revision is refused for callers who say which they read', async () => {
  const org = await world().newOrg();
  for (const face of faces) {
    const { id, revision } = await newDraft(org, { audience: 'everyone', subject: 'As read' });
    const first = await update[face](org, id, { subject: 'Mine', revision });
    expect(first).toMatchObject({ status: 200, body: { broadcast: { revision: revision + 1 } } });
    const late = await update[face](org, id, { subject: 'Theirs', revision });
    expect(late).toMatchObject({ status: 409, body: { code: 'broadcast_changed' } });
    expect((await read(org, id)).subject).toBe('Mine');
    expect((await update[face](org, id, { subject: 'Theirs' })).status).toBe(200);
  }
});

test('of several changes at once with one revision, one is written', async () => {
  const org = await world().newOrg();
  const { id, revision } = await newDraft(org, { audience: 'everyone' });
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) => update.rest(org, id, { subject: `Number ${n}`, revision })),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200, 409, 409, 409, 409, 409,
  ]);
});
