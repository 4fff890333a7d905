import type { TestOrg } from '../support/test-org.ts';

/** Everybody of an organization. */
// oxlint-disable-next-line typescript/no-explicit-any
export const peopleOf = async (org: TestOrg): Promise<any[]> =>
  (await org.rest('GET /v1/people')).body.people;
