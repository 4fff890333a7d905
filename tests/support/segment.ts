import { expect } from 'vitest';
import type { FieldError } from '../../src/kernel/failure.ts';
import type { TestOrg } from './test-org.ts';

/** A condition as a test sends it, right or wrong. */
export type Sent = Readonly<Record<string, unknown>>;

/** People by what a test calls them. */
export type People = Readonly<Record<string, string>>;

/** Makes a segment, over REST, and answers its id. */
export async function newSegment(org: TestOrg, filters: readonly Sent[]): Promise<string> {
  const { status, body } = await org.rest('POST /v1/segments', { name: 'A segment', filters });
  if (status !== 201) throw new Error(`create_segment answered ${status}: ${JSON.stringify(body)}`);
  return body.segment.id;
}

/** Everybody in a segment, newest first. */
export async function listMembers(org: TestOrg, segment_id: string): Promise<string[]> {
  const members: string[] = [];
  for (;;) {
    const page = { segment_id, limit: 200, offset: members.length };
    const { isError, text, body } = await org.tool('list_segment_members', page);
    if (isError) throw new Error(text);
    members.push(...body.people.map((person: { id: string }) => person.id));
    if (body.people.length < 200) {
      expect(members).toHaveLength(body.total);
      return members;
    }
  }
}

/** Whom conditions match, as a saved segment; a preview of the same conditions must count as many. */
async function membersOf(org: TestOrg, filters: readonly Sent[]): Promise<string[]> {
  const [members, preview] = await Promise.all([
    newSegment(org, filters).then((id) => listMembers(org, id)),
    org.rest('POST /v1/segments/preview', { filters }),
  ]);
  expect(preview).toMatchObject({ status: 200, body: { count: members.length } });
  return members;
}

/** The same by name, in the order of the alphabet. Whoever is none of these people shows as an id. */
export async function whoMatches(org: TestOrg, people: People, filters: readonly Sent[]): Promise<string[]> {
  const names = new Map(Object.entries(people).map(([name, id]) => [id, name]));
  return (await membersOf(org, filters)).map((id) => names.get(id) ?? id).toSorted();
}

interface Refusal {
  readonly errors: readonly FieldError[];
  /** What a model reads. */
  readonly sentence: string;
}

/** The refusal of conditions, which every call that takes them must give alike. */
export async function refusal(org: TestOrg, filters: unknown): Promise<Refusal> {
  const segment = { name: 'Refused', filters };
  const [overTool, ...overRest] = await Promise.all([
    org.tool('create_segment', segment),
    org.rest('POST /v1/segments', segment),
    org.rest('POST /v1/segments/preview', { filters }),
  ]);
  const { errors } = overTool.body;
  expect(overTool).toMatchObject({ isError: true, body: { status: 400, code: 'invalid_request' } });
  for (const answer of overRest) {
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors } });
  }
  return { errors, sentence: overTool.text };
}
