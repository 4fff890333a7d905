import { expect } from 'vitest';
import type { FieldError } from '../../src/kernel/failure.ts';
import { contentsOf } from '../support/org-contents.ts';
import type { TestOrg, ToolAnswer } from '../support/test-org.ts';
import type { GraphInput } from '../support/workflow.ts';
import type { World } from '../support/world.ts';

// Answers are looked into by tests, not typed twice.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;
type Fields = Readonly<Record<string, unknown>>;

export const faces = ['rest', 'tool'] as const;
export type Face = (typeof faces)[number];

export interface Answer {
  readonly status: number;
  readonly body: Json;
}

const fromTool = ({ isError, body }: ToolAnswer): Answer => ({ status: isError ? body.status : 200, body });

export const create: Record<Face, (org: TestOrg, fields: Fields) => Promise<Answer>> = {
  rest: (org, fields) => org.rest('POST /v1/workflows', fields),
  tool: async (org, fields) => fromTool(await org.tool('create_workflow', fields)),
};

export const update: Record<Face, (org: TestOrg, id: string, fields: Fields) => Promise<Answer>> = {
  rest: (org, id, fields) => org.rest(`PATCH /v1/workflows/${id}`, fields),
  tool: async (org, workflow_id, fields) =>
    fromTool(await org.tool('update_workflow', { workflow_id, ...fields })),
};

/** publish, pause and resume, each over either face. */
export const turn = (
  verb: 'publish' | 'pause' | 'resume',
): Record<Face, (org: TestOrg, id: string, fields?: Fields) => Promise<Answer>> => ({
  rest: (org, id, fields = {}) => org.rest(`POST /v1/workflows/${id}/${verb}`, fields),
  tool: async (org, workflow_id, fields = {}) =>
    fromTool(await org.tool(`${verb}_workflow`, { workflow_id, ...fields })),
});

/** Makes and changes a workflow to this graph, over either face: all refused alike, and nothing written. */
export async function refusedGraph(
  { admin }: World,
  org: TestOrg,
  draft: string,
  graph: GraphInput | Fields,
): Promise<FieldError[]> {
  const before = await contentsOf(admin, org);
  const answers: Answer[] = [];
  for (const face of faces) {
    answers.push(
      await create[face](org, { name: 'Refused', graph }),
      await update[face](org, draft, { graph }),
    );
  }
  const { errors } = answers[0]!.body;
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(answer.body.errors).toEqual(errors);
  }
  expect(await contentsOf(admin, org)).toEqual(before);
  return errors;
}

export const placesOf = (errors: readonly FieldError[]): string[] =>
  errors.map(({ pointer, code }) => `${pointer} ${code}`);

/** What keeps a draft from being published, as `<pointer> <code>`: told in the answer, and by publishing it. */
export async function problemsOf(org: TestOrg, graph: GraphInput | Fields): Promise<string[]> {
  const { status, body } = await create.rest(org, { name: 'A draft', graph });
  if (status !== 201) throw new Error(`create_workflow answered ${status}: ${JSON.stringify(body)}`);
  const { id, problems } = body.workflow;
  const told: string[] = problems.map(({ pointer, code }: Json) => `${pointer} ${code}`);
  expect((await org.rest(`GET /v1/workflows/${id}`)).body.workflow.problems).toEqual(problems);
  for (const face of faces) {
    const refused = await turn('publish')[face](org, id);
    if (told.length === 0) expect(refused.status).toBe(200);
    else {
      expect(refused).toMatchObject({ status: 400, body: { code: 'workflow_incomplete' } });
      expect(placesOf(refused.body.errors)).toEqual(told);
    }
  }
  return told;
}
