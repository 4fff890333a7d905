import { expect, test } from 'vitest';
import { fieldsOfPerson, writtenFields } from '../../src/domain/person-fields/fields.ts';
import { draftOf } from '../support/import.ts';
import { useWorld } from '../support/world.ts';
import { importList } from './through-engine.ts';

const world = useWorld({ engine: true });

test.each(writtenFields)('a column of a list is taken for %s by its headers, and fills it', async (field) => {
  const org = await world().newOrg();
  const { headers } = fieldsOfPerson[field].written;
  for (const header of [field, ...headers]) {
    const { columns } = await draftOf(
      org,
      ['Mail', header],
      [{ Mail: 'ann@example.com', [header]: 'Miller' }],
    );
    expect(columns[1]).toMatchObject({ column: header, suggested: field });
  }
  const known = await org.person({ email: 'known@example.com', [field]: 'Before' });
  const blank = await org.person({ email: 'blank@example.com' });
  await importList(org, { Mail: 'email', Cell: field }, [
    { Mail: 'known@example.com', Cell: 'After' },
    { Mail: 'blank@example.com', Cell: ' Filled ' },
    { Mail: 'new@example.com', Cell: 'Made' },
  ]);
  const read = async (id: string) => (await org.rest(`GET /v1/people/${id}`)).body.person[field];
  const made = await org.person({ email: 'new@example.com' });
  expect([await read(known), await read(blank), await read(made)]).toEqual(['Before', 'Filled', 'Made']);
});
