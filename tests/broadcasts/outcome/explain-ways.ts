import { expect } from 'vitest';
import type { TestOrg } from '../../support/test-org.ts';

// Answers are looked into by tests, not typed twice.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

/** What is said about somebody, which must be the same over both faces. */
export async function explain(org: TestOrg, broadcast_id: string, person_id: string): Promise<Json> {
  const overRest = await org.rest(`GET /v1/broadcasts/${broadcast_id}/recipients/${person_id}`);
  expect(overRest.status).toBe(200);
  const overTool = await org.tool('explain_recipient', { broadcast_id, person_id });
  expect(overTool.isError).toBe(false);
  expect(overTool.body).toEqual(overRest.body);
  const { body } = overRest;
  expect(body).toMatchObject({ broadcast_id, person_id });
  expect(Object.keys(body)).toEqual(['broadcast_id', 'person_id', 'outcome', 'summary', 'steps']);
  for (const text of [body.summary, ...body.steps.map(({ detail }: Json) => detail)]) {
    expect(text).toMatch(/^[A-Z].*[.:”]$/s); // a sentence
    expect(text).not.toMatch(/undefined|null|NaN|\.\./);
  }
  return body;
}

export const wordsOf = ({ steps }: Json): string[] => steps.map(({ what }: Json) => what);

export const detailOf = ({ steps }: Json, what: string): string =>
  steps.find((step: Json) => step.what === what)?.detail;
