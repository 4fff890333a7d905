import { beforeAll, expect, test } from 'vitest';
import { builtInSource } from '../../../src/domain/content/variables/sources.ts';
import { permissions } from '../../../src/kernel/caller.ts';
import { plan, readyDraft } from '../../support/broadcast.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();
const from = (field: string) => `{{context.root_context.org_user.${field}}}`;
let org: TestOrg;
let blind: TestOrg;
let draft: string;

beforeAll(async () => {
  org = await world().newOrg();
  blind = await world().newKey(
    org,
    permissions.filter((permission) => permission !== 'people.read'),
  );
  ({ id: draft } = await readyDraft(world(), org, {
    html: '<p>{{var_name}} {{var_last}} {{var_mail}}</p>',
    variables: {
      var_name: { variable: from('first_name'), fallback: 'dear friend' },
      var_last: { variable: from('last_name') },
      var_mail: { variable: from('primary_email') },
    },
  }));
});

test('who may not read people learns nothing of them by a plan, over either face', async () => {
  const { body: over } = await blind.tool('plan_broadcast', { broadcast_id: draft });
  for (const planned of [await plan(blind, draft), over]) {
    expect(JSON.stringify(planned)).not.toMatch(/Rita|reader-[0-9a-f]/);
    expect(planned.preview).toMatchObject({ person_id: null, body: expect.stringContaining('dear friend') });
    expect(planned.audience).toMatchObject({ recipients: 1, reachable: 1 });
  }
});

test('nor by a preview, which shows examples where there is no fallback', async () => {
  const { status, body } = await blind.rest(`POST /v1/broadcasts/${draft}/preview`, {});
  expect([status, body.person_id]).toEqual([200, null]);
  expect(JSON.stringify(body)).not.toMatch(/Rita|reader-[0-9a-f]/);
  expect(body.text).toContain(builtInSource(from('last_name'))!.example);
});

test('who may read them sees a real recipient', async () => {
  const planned = await plan(org, draft);
  expect(planned.preview.body).toMatch(/Rita.*@example\.com/);
  const { body } = await org.rest(`POST /v1/broadcasts/${draft}/preview`, {});
  expect(body.person_id).toBe(planned.preview.person_id);
});
