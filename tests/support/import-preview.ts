import type { TestOrg } from './test-org.ts';

// Answers are looked into by tests, not typed twice.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

/** Previews over REST and answers what that answered. */
export async function preview(org: TestOrg, import_id: string, merges?: string): Promise<Json> {
  const asked = merges === undefined ? {} : { merges };
  const { status, body } = await org.rest(`POST /v1/imports/${import_id}/preview`, asked);
  if (status !== 200) throw new Error(`preview_import answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** The token of a preview that nothing blocks. */
export async function tokenOf(org: TestOrg, import_id: string, merges?: string): Promise<string> {
  const { commit_token, blocked } = await preview(org, import_id, merges);
  if (commit_token === null) throw new Error(`the preview is blocked: ${blocked}`);
  return commit_token;
}

export const commit = (org: TestOrg, commit_token: string) =>
  org.rest('POST /v1/imports/commit', { commit_token });
