import { expect } from 'vitest';
import type { People, Sent } from '../support/segment.ts';
import type { TestOrg } from '../support/test-org.ts';

/**
 * Whom conditions match, by one call, where a saved segment takes three: for tests that ask about many values. A preview
 * shows five people, so it is for few.
 */
export async function whoPreviews(org: TestOrg, people: People, filters: readonly Sent[]): Promise<string[]> {
  const names = new Map(Object.entries(people).map(([name, id]) => [id, name]));
  const { status, body } = await org.rest('POST /v1/segments/preview', { filters });
  expect({ status, filters, count: body.count }).toEqual({
    status: 200,
    filters,
    count: body.samples.length,
  });
  return body.samples.map(({ id }: { id: string }) => names.get(id) ?? id).toSorted();
}
