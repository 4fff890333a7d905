import { expect } from 'vitest';
import type { FieldError } from '../../../src/kernel/failure.ts';
import { contentsOf } from '../../support/org-contents.ts';
import { isLong } from '../../support/volume.ts';
import type { TestOrg, ToolAnswer } from '../../support/test-org.ts';
import type { World } from '../../support/world.ts';

// Answers are looked into by tests, not typed twice.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;
export type Fields = Readonly<Record<string, unknown>>;

export const faces = ['rest', 'tool'] as const;
export type Face = (typeof faces)[number];

export interface Answer {
  readonly status: number;
  readonly body: Json;
}

/** As REST would answer, but for 201: a tool that was served has no status. */
const fromTool = ({ isError, body }: ToolAnswer): Answer => ({ status: isError ? body.status : 200, body });

export const create: Record<Face, (org: TestOrg, fields: Fields) => Promise<Answer>> = {
  rest: (org, fields) => org.rest('POST /v1/broadcasts', fields),
  tool: async (org, fields) => fromTool(await org.tool('create_broadcast', fields)),
};

export const update: Record<Face, (org: TestOrg, id: string, fields: Fields) => Promise<Answer>> = {
  rest: (org, id, fields) => org.rest(`PATCH /v1/broadcasts/${id}`, fields),
  tool: async (org, broadcast_id, fields) =>
    fromTool(await org.tool('update_broadcast', { broadcast_id, ...fields })),
};

export async function read(org: TestOrg, id: string): Promise<Json> {
  const { status, body } = await org.rest(`GET /v1/broadcasts/${id}`);
  expect(status).toBe(200);
  return body.broadcast;
}

/** The whole message as one person gets it. */
export async function previewFor(org: TestOrg, id: string, person_id: string): Promise<Json> {
  const { status, body } = await org.rest(`POST /v1/broadcasts/${id}/preview`, { person_id });
  if (status !== 200) throw new Error(`preview_broadcast answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

let refusals = 0;
/** To read all of an organization before and after takes longer than to be refused: the gate does it for every fourth. */
const looksAt = (): boolean => isLong || refusals++ % 4 === 0;

/** Calls that are all refused alike, and write nothing. Answers what is wrong, field by field. */
async function refusal(
  { admin }: World,
  org: TestOrg,
  ...calls: readonly ((face: Face) => Promise<Answer>)[]
): Promise<FieldError[]> {
  const before = looksAt() ? await contentsOf(admin, org) : undefined;
  const answers = await Promise.all(calls.flatMap((call) => faces.map(call)));
  const { errors } = answers[0]!.body;
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(answer.body.errors).toEqual(errors);
  }
  if (before !== undefined) expect(await contentsOf(admin, org)).toEqual(before);
  return errors;
}

export const refusedNew = (world: World, org: TestOrg, fields: Fields): Promise<FieldError[]> =>
  refusal(world, org, (face) => create[face](org, fields));

export const refusedChange = (
  world: World,
  org: TestOrg,
  id: string,
  fields: Fields,
): Promise<FieldError[]> => refusal(world, org, (face) => update[face](org, id, fields));

/** The same of a new draft and of a change of one. */
export const refusedBoth = (
  world: World,
  org: TestOrg,
  fields: Fields,
  id: string,
  change: Fields,
): Promise<FieldError[]> =>
  refusal(
    world,
    org,
    (face) => create[face](org, fields),
    (face) => update[face](org, id, change),
  );

export const pointersOf = (errors: readonly FieldError[]): string[] =>
  errors.map(({ pointer }) => pointer).toSorted();

/** Fields that nothing finds, over both faces and over creation and change; nothing is written. */
export async function expectNotFound(
  { admin }: World,
  org: TestOrg,
  draft: string,
  fields: Fields,
): Promise<void> {
  const before = looksAt() ? await contentsOf(admin, org) : undefined;
  for (const face of faces) {
    const missing = { status: 404, body: { code: 'not_found' } };
    expect(await create[face](org, { audience: 'everyone', ...fields })).toMatchObject(missing);
    expect(await update[face](org, draft, fields)).toMatchObject(missing);
  }
  if (before !== undefined) expect(await contentsOf(admin, org)).toEqual(before);
}

/** What a refusal says, but for where and when it was said. */
export const said = ({ status, body }: Answer): unknown => {
  const { instance: _, request_id: __, ...rest } = body;
  return { httpStatus: status, ...rest };
};

/** A broadcast in a state that only delivery brings about. */
export async function putInState(
  { admin }: World,
  id: string,
  status: string,
  { sent = 0 }: { readonly sent?: number } = {},
): Promise<void> {
  const begun = ['sending', 'sent', 'stopped', 'error'].includes(status);
  const over = ['sent', 'stopped', 'error'].includes(status);
  const { rowCount } = await admin.query(
    `update broadcasts set status = $2, sent = $3, recipients = $3, revision = revision + 1,
       send_at = coalesce(send_at, now()), paced_over_hours = 3, started_at = case when $4 then now() end,
       finished_at = case when $5 then now() end, error = case when $2 = 'error' then 'It could not start.' end
     where id = $1`,
    [id, status, sent, begun, over],
  );
  expect(rowCount).toBe(1);
}
