import { beforeAll, expect, test } from 'vitest';
import { newDraft } from '../support/broadcast.ts';
import type { TestOrg } from '../support/test-org.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { create, faces, refusedNew, update, type Fields } from '../broadcasts/draft/draft-ways.ts';
import { newConfig } from '../broadcasts/plan/plan-support.ts';
import { everyKind, withVariable } from './variable-setting.ts';

const world = useWorld();

let org: TestOrg;
let kinds: Record<string, Fields>;

beforeAll(async () => {
  org = await world().newOrg();
  for (const [key, type] of [['tier'], ['seats', 'number'], ['vip', 'boolean']] as const) {
    await newConfig(org, key, type);
  }
  kinds = await everyKind(world(), org);
});

interface Listed {
  readonly variable: string;
  readonly group: string;
  readonly type: string;
  readonly requires_webinar: boolean;
}

const list = async (): Promise<Listed[]> => (await org.tool('list_broadcast_variables')).body.variables;

test.each(faces)(
  'VAR-022 VAR-023 over %s every path of the list is accepted as it is listed',
  async (face) => {
    const variables = await list();
    // In the gate each path in one kind: every second over this face in an email, the others in a text.
    for (const kind of ['webinar', 'text'] as const) {
      for (const [at, { variable }] of variables.entries()) {
        if (!isLong && (at % 2 === 0) !== (kind === 'webinar')) continue;
        const { status, body } = await create[face](org, withVariable(kinds[kind]!, { variable }));
        expect([variable, status]).toEqual([variable, face === 'rest' ? 201 : 200]);
        expect(body.broadcast.variables).toMatchObject({ var_x: { variable } });
      }
    }
    const every = Object.fromEntries(variables.map(({ variable }, at) => [`var_${at}`, { variable }]));
    const html = `<p>${Object.keys(every)
      .map((name) => `{{${name}}}`)
      .join(' ')}</p>`;
    const { id } = await newDraft(org, kinds['webinar']!);
    const changed = await update[face](org, id, { html, variables: every });
    expect(Object.keys(changed.body.broadcast.variables).toSorted()).toEqual(Object.keys(every).toSorted());
  },
);

test('VAR-024 variables is a word of the path and never the id of a broadcast', async () => {
  const { status, body } = await org.rest('GET /v1/broadcasts/variables');
  expect({ status, code: body.code, list: Array.isArray(body.variables) }).toEqual({
    status: 200,
    code: undefined,
    list: true,
  });
});

test('VAR-022 VAR-023 what the list says of a path holds: whether it needs a webinar, is a date or can be a link', async () => {
  const { everyone, webinar } = kinds as Record<'everyone' | 'webinar', Fields>;
  for (const { variable, type, group, requires_webinar } of await list()) {
    const mayBeDate = type === 'date' || (type === 'text' && group === 'custom_properties');
    const mayBeLink = type === 'url' || type === 'text';
    const link = { html: '<a href="{{link_var_x}}">x</a>', variables: { link_var_x: { variable } } };
    for (const [sent, isTaken] of [
      [withVariable(everyone, { variable }), !requires_webinar],
      [withVariable(webinar, { variable, date_format: 'yyyy' }), mayBeDate],
      [{ ...webinar, ...link }, mayBeLink],
    ] as const) {
      const { status } = await create.tool(org, sent);
      expect({ variable, sent, status }).toEqual({ variable, sent, status: isTaken ? 200 : 400 });
    }
  }
});

test('a broadcast has at most a hundred variables', async () => {
  const [{ variable }] = (await list()) as [Listed];
  const names = Array.from({ length: 101 }, (_, at) => `var_${at}`);
  const sent = (count: number): Fields => {
    const used = names.slice(0, count);
    const html = `<p>${used.map((name) => `{{${name}}}`).join('')}</p>`;
    return {
      audience: 'everyone',
      html,
      variables: Object.fromEntries(used.map((name) => [name, { variable }])),
    };
  };
  expect(Object.keys((await newDraft(org, sent(100))).variables)).toHaveLength(100);
  expect(await refusedNew(world(), org, sent(101))).toMatchObject([{ pointer: '/variables' }]);
});
