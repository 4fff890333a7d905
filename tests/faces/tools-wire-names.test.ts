import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';

const world = useWorld();

interface Tool {
  readonly name: string;
  // Schemas are looked into, not typed twice.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly inputSchema: any;
}

const toolsOf = async (): Promise<Map<string, Tool['inputSchema']>> => {
  const { result } = await (await world().newOrg()).rpc('tools/list', {});
  return new Map((result.tools as Tool[]).map(({ name, inputSchema }) => [name, inputSchema]));
};

test('TOL-002 payment_customer_id is an identifier type, an argument of identify and a target of imports', async () => {
  const org = await world().newOrg();
  const tools = await toolsOf();
  expect(tools.get('add_identifier').properties.identifier_type.enum).toContain('payment_customer_id');
  expect(Object.keys(tools.get('identify_person').properties)).toContain('payment_customer_id');
  expect(JSON.stringify(tools.get('set_import_mapping').properties.mapping)).toContain(
    '"payment_customer_id"',
  );
  const { body: draft } = await org.tool('create_import', { name: 'Customers', columns: ['Customer'] });
  expect(draft.targets.map(({ target }: { target: unknown }) => target)).toContain('payment_customer_id');

  const person_id = await org.person({ payment_customer_id: 'cus_1' });
  const { body } = await org.tool('list_identifiers', { person_id });
  expect(body.identifiers).toMatchObject([
    { identifier_type: 'payment_customer_id', identifier_value: 'cus_1' },
  ]);
  const { import_id } = draft;
  await org.tool('set_import_mapping', { import_id, mapping: { Customer: 'payment_customer_id' } });
  await org.tool('append_import_rows', { import_id, rows: [{ Customer: 'cus_1' }, { Customer: 'cus_2' }] });
  const preview = await org.tool('preview_import', { import_id });
  expect(preview.body).toMatchObject({ people_to_create: 1, people_unchanged: 1 });
});

test('TOL-002 chats, messengers and processors have their neutral names wherever they are chosen', async () => {
  const tools = await toolsOf();
  const { enum: types } = tools.get('add_identifier').properties.identifier_type;
  expect(types).toEqual(expect.arrayContaining(['chat', 'chat_user_id', 'chat_channel', 'messenger']));
  expect(tools.get('list_people').properties.payment_processor.enum).toEqual([
    'processor_a',
    'processor_b',
    'processor_c',
  ]);
});

test('TOL-002 the reserved prefix of events is $svc_', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'ada@example.com' });
  const refused = await org.rest('POST /v1/events', { event_name: '$svc_email_sent', person_id });
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '/event_name' }] } });
  expect(refused.body.detail).toContain('$svc_');
});

test('TOL-002 no tool, route or code names a vendor', async () => {
  const { result } = await (await world().newOrg()).rpc('tools/list', {});
  const document = await (await fetch(`${world().url}/v1/openapi.json`)).text();
  for (const text of [JSON.stringify(result), document]) {
    expect(text).toContain('payment_customer_id');
    expect(text).not.toMatch(/stripe|paddle|chargebee|slack|telegram|whatsapp|facebook/i);
  }
});
