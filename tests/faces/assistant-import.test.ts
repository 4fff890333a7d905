import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { answerOf, expectLedOn } from './assistant.ts';

const world = useWorld();
const people = Array.from({ length: 30 }, (_, n) => ({
  Email: `p${n}@example.com`,
  Name: `P${n}`,
  Stop: n % 3 === 0 ? 'yes' : 'no',
}));

test('to import thirty people with consent: after each likely wrong guess the refusal alone is enough to go on', async () => {
  const org = await world().newOrg();
  await expectLedOn(org, [
    [
      'create_import',
      { name: 'List', rows: people },
      ['columns: Is missing', 'Every column as named in the rows'],
    ],
    ['create_import', { columns: ['Email'] }, ['name: Is missing. It must be text']],
    ['create_import', { name: 'List', columns: 'Email,Name' }, ['columns: Must be a list, like ["a", "b"]']],
  ]);
  const made = await answerOf(org, 'create_import', { name: 'List', columns: ['Email', 'Name', 'Stop'] });
  const import_id = made.import_id as string;
  const map = (mapping: unknown) => ['set_import_mapping', { import_id, mapping }] as const;
  await expectLedOn(org, [
    ['append_import_rows', { import_id, rows: people }, ['set_import_mapping first']],
    [...map([{ column: 'Email', target: 'email' }]), ['mapping: Must be an object', 'Column to target']],
    [...map({ Email: 'email' }), ['mapping/Name: ', 'skip leaves it out', 'mapping/Stop: ']],
    [
      ...map({ Email: 'email', Name: 'name', Stop: 'consent' }),
      ['mapping/Name: ', 'first_name', 'mapping/Stop: ', 'unsubscribed_from_emails', '"new_property"'],
    ],
    [
      ...map({ 'E-mail': 'email', Email: 'email', Name: 'first_name', Stop: 'skip' }),
      ['get_import shows them'],
    ],
    [
      ...map({ Email: 'email', Name: { new_property: { key: 'Nick Name', type: 'text' } }, Stop: 'skip' }),
      ['mapping/Name', 'name'],
    ],
  ]);
  await answerOf(org, 'set_import_mapping', {
    import_id,
    mapping: { Email: 'email', Name: 'first_name', Stop: 'unsubscribed_from_emails' },
  });
  const askew = await answerOf(org, 'append_import_rows', { import_id, rows: [{ email: 'a@example.com' }] });
  expect(askew.rejected_rows[0].reason).toContain('Email, Name, Stop');
  await expectLedOn(org, [
    ['append_import_rows', { import_id, rows: [['a@example.com']] }, ['rows/0: Must be an object']],
    ['commit_import', { import_id }, ['commit_token: Is missing', 'From preview_import.']],
    ['commit_import', { commit_token: 'yes' }, [/preview/i]],
    ['preview_import', { import_id, merges: true }, ['block, skip_rows, allow']],
  ]);
  await answerOf(org, 'append_import_rows', { import_id, rows: people });
  const preview = await answerOf(org, 'preview_import', { import_id });
  await answerOf(org, 'commit_import', { commit_token: preview.commit_token });
});
