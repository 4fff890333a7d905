import { expect, test } from 'vitest';
import { newConnection } from '../support/connection.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('DEL-026 a deletion by a connection is logged with the user who granted it', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'gone@example.com' });
  const connection = await newConnection(world(), org);
  const deleted = await connection.tool('delete_person', { person_id });
  expect(deleted).toMatchObject({ isError: false, body: { deleted: true } });
  const { rows } = await world().admin.query(
    "select actor_kind, actor_id, connection_id, face, ids from audit_log where org_id = $1 and operation = 'delete_person'",
    [org.id],
  );
  const [granted] = (
    await world().admin.query('select id, user_id from connections where org_id = $1', [org.id])
  ).rows;
  expect(rows).toEqual([
    {
      actor_kind: 'user',
      actor_id: connection.member.user.userId,
      connection_id: granted.id,
      face: 'mcp',
      ids: { person_id },
    },
  ]);
  expect(granted.user_id).toBe(connection.member.user.userId);
});
