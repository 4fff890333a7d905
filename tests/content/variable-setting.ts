import { newDraft, newWebinar } from '../support/broadcast.ts';
import type { TestOrg } from '../support/test-org.ts';
import type { World } from '../support/world.ts';
import { previewFor, type Fields } from '../broadcasts/draft/draft-ways.ts';
import { path } from './body-setting.ts';

/** Every kind of broadcast there is, by what it needs beside its body. */
export async function everyKind(world: World, org: TestOrg): Promise<Record<string, Fields>> {
  const filters = [{ property: 'primary_email', op: 'is_not_empty' }];
  const segment = await org.rest('POST /v1/segments', { name: 'With an email', filters });
  const toWebinar = { audience: 'webinar', webinar_id: await newWebinar(world, org) };
  return {
    everyone: { audience: 'everyone' },
    segment: { audience: 'segment', segment_id: segment.body.segment.id },
    webinar: toWebinar,
    text: { channel: 'sms', ...toWebinar },
  };
}

/** A draft whose whole body is one placeholder in brackets. */
export const withVariable = (kind: Fields, definition: unknown): Fields => ({
  ...kind,
  [kind['channel'] === 'sms' ? 'message_body' : 'html']: '[{{var_x}}]',
  variables: { var_x: definition },
});

/** What a person reads in the place of a variable. */
export async function rendered(
  org: TestOrg,
  person: string,
  definition: Fields,
  kind: Fields = { audience: 'everyone' },
): Promise<string> {
  const { id } = await newDraft(org, withVariable(kind, definition));
  return inBrackets((await previewFor(org, id, person)).text);
}

export const inBrackets = (text: string): string => /\[([^\]]*)\]/.exec(text)![1]!;

/** A definition that reads a field of the recipient. */
export const reads = (field: string, more: Fields = {}): Fields => ({ variable: path(field), ...more });

/** A definition that reads something of the webinar. */
export const readsWebinar = (name: string, more: Fields = {}): Fields => ({
  variable: `{{context.root_context.${name}}}`,
  ...more,
});

/** Sets columns of a person that no operation sets. */
export async function setColumns({ admin }: World, person: string, fields: Fields): Promise<void> {
  const sets = Object.keys(fields).map((column, at) => `${column} = $${at + 2}`);
  await admin.query(`update people set ${sets.join(', ')} where id = $1`, [person, ...Object.values(fields)]);
}
