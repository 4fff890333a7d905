import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { operations } from '../../src/catalogue/operations.ts';
import { inputFor } from '../../src/catalogue/parse-input.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import { contentsOf } from '../support/org-contents.ts';
import { idFields, sampleInput } from '../support/sample-input.ts';
import type { TestOrg } from '../support/test-org.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const tools = (operations as readonly AnyOperation[]).filter(({ faces }) => faces.tool === true);
const inputOf = (tool: AnyOperation) => inputFor(tool, { powers: new Set() });

/** Arguments that the tool takes, with something else for one of them. */
const argumentsWith = (tool: AnyOperation, name: string, value: unknown): Record<string, unknown> => ({
  ...sampleInput(tool, inputOf(tool), 'few'),
  [name]: value,
});

async function expectNothingWritten(org: TestOrg, calls: () => Promise<void>): Promise<void> {
  const before = await contentsOf(world().admin, org);
  await calls();
  expect(await contentsOf(world().admin, org)).toEqual(before);
}

const idArguments = tools.flatMap((tool) =>
  idFields(inputOf(tool)).map(({ name }) => ({ tool, name, title: `${name} of ${tool.name}` })),
);

test('TOL-012 the id arguments are found in the catalogue', () => {
  expect(idArguments.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['person_id', 'identifier_id', 'config_id', 'segment_id', 'broadcast_id']),
  );
});

/** Where null is no wrong id but clears what is there. */
const cleared = ['sender_id of update_broadcast', 'automation_id of update_webinar'];

let arranged: Promise<{ org: TestOrg; person: string }> | undefined;
/** One for all that is rejected: nothing is written. */
const rejecting = () =>
  (arranged ??= world()
    .newOrg()
    .then(async (org) => ({ org, person: await org.person({ email: 'ada@example.com' }) })));
let turn = 0;

test.each(idArguments)('TOL-012 $title is rejected when it is not a uuid', async ({ tool, name, title }) => {
  const { org, person } = await rejecting();
  await expectNothingWritten(org, async () => {
    const wrong = [
      '',
      'ada@example.com',
      '12',
      12,
      ...(cleared.includes(title) ? [] : [null]),
      [person],
      `${person} `,
      person.slice(1),
      `{${person}}`,
    ];
    // In the gate every third, each time others.
    const third = turn++ % 3;
    for (const value of wrong.filter((_, at) => isLong || at % 3 === third)) {
      const refused = await org.tool(tool.name, argumentsWith(tool, name, value));
      expect({ value, ...refused }).toMatchObject({
        isError: true,
        body: { status: 400, code: 'invalid_request', errors: [{ pointer: `/${name}` }] },
      });
    }
  });
});

test.each(idArguments.filter(({ name }) => name === 'person_id'))(
  'ERR-003 $title is not found when nobody has it',
  async ({ tool }) => {
    const org = await world().newOrg();
    await org.person({ email: 'ada@example.com' });
    await org.tool('create_property_config', { key: 'a_sample', name: 'A key', type: 'string' });
    await expectNothingWritten(org, async () => {
      const refused = await org.tool(tool.name, argumentsWith(tool, 'person_id', randomUUID()));
      expect(refused).toMatchObject({
        isError: true,
        text: 'No person with this id exists in this organization.',
        body: { status: 404, code: 'not_found' },
      });
    });
  },
);

test.each(['update_property_config', 'delete_property_config'])(
  'ERR-004 an unknown config_id is not found in %s',
  async (name) => {
    const org = await world().newOrg();
    const tool = tools.find((one) => one.name === name)!;
    await org.tool('create_property_config', { key: 'tier', name: 'Tier', type: 'string' });
    await expectNothingWritten(org, async () => {
      const refused = await org.tool(name, argumentsWith(tool, 'config_id', randomUUID()));
      expect(refused).toMatchObject({
        isError: true,
        text: 'No property config with this id exists in this organization.',
        body: { status: 404, code: 'not_found' },
      });
    });
  },
);

test('ERR-002 every argument with a fixed set of values rejects another, naming the valid ones', async () => {
  const org = await world().newOrg();
  const { result } = await org.rpc('tools/list', {});
  const fixed = (result.tools as { name: string; inputSchema: { properties?: object } }[]).flatMap(
    ({ name, inputSchema }) =>
      Object.entries(inputSchema.properties ?? {}).flatMap(([argument, schema]) =>
        Array.isArray(schema.enum) ? [{ name, argument, values: schema.enum as string[] }] : [],
      ),
  );
  expect(fixed.map(({ argument }) => argument)).toEqual(
    expect.arrayContaining([
      'subscription_status',
      'payment_processor',
      'health_band',
      'sort',
      'order',
      'identifier_type',
      'type',
    ]),
  );
  await expectNothingWritten(org, async () => {
    for (const { name, argument, values } of fixed) {
      const tool = tools.find((one) => one.name === name)!;
      for (const wrong of ['nonsense', '', values[0]!.toUpperCase(), ` ${values[0]}`]) {
        const { isError, body, text } = await org.tool(name, argumentsWith(tool, argument, wrong));
        expect({ name, isError, errors: body.errors }).toEqual({
          name,
          isError: true,
          errors: [
            {
              pointer: `/${argument}`,
              code: 'invalid_value',
              detail: `Must be one of: ${values.join(', ')}.`,
              allowed: values,
            },
          ],
        });
        expect(text).toContain(values.join(', '));
      }
    }
  });
});

test('unknown arguments are refused and named, one error each', async () => {
  const org = await world().newOrg();
  await expectNothingWritten(org, async () => {
    const refused = await org.tool('identify_person', { email: 'ada@example.com', emial: 'x', nmae: 'y' });
    expect(refused).toMatchObject({
      isError: true,
      body: {
        errors: [
          {
            pointer: '/emial',
            code: 'unknown_field',
            detail: expect.stringMatching(/no field emial here. Fields there are: email, /),
          },
          { pointer: '/nmae', code: 'unknown_field', detail: 'There is no field nmae here.' },
        ],
      },
    });
  });
});

test('what only an API key over REST may do is no argument of a tool', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'ada@example.com' });
  await org.tool('set_opt_outs', { person_id, email_opt_out: true });
  await expectNothingWritten(org, async () => {
    const refused = await org.tool('delete_person', { person_id, drop_suppression: true });
    expect(refused.body).toMatchObject({ errors: [{ pointer: '/drop_suppression', code: 'unknown_field' }] });
    await expect(org.tool('replace_external_id', { person_id, external_user_id: 'x' })).rejects.toThrow(
      /protocol error/,
    );
  });
});
