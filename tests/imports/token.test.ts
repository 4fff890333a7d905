import { expect, test } from 'vitest';
import { append, withRows } from '../support/import.ts';
import { commit, preview, tokenOf } from '../support/import-preview.ts';
import { contentsOf } from '../support/org-contents.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const previewed = async (org: TestOrg) => {
  const id = await withRows(org, { mail: 'email' }, [{ mail: 'new@example.com' }]);
  return { id, token: await tokenOf(org, id) };
};

const codeOf = async (org: TestOrg, token: string) => {
  const { status, body } = await commit(org, token);
  return [status, body.code ?? body.status];
};

test('IMP-065 a token is good for an hour and no longer, by the clock of the organization', async () => {
  const org = await world().newOrg();
  const { id, token } = await previewed(org);
  await org.rest('POST /v1/test-clock', { advance: 3_590 });
  const late = await previewed(org);
  await org.rest('POST /v1/test-clock', { advance: 60 });
  const before = await contentsOf(world().admin, org);
  const { status, body } = await commit(org, token);
  expect([status, body.code]).toEqual([409, 'commit_token_expired']);
  expect(body.detail).toMatch(/Preview again/);
  expect(await contentsOf(world().admin, org)).toEqual(before);
  expect(await codeOf(org, late.token)).toEqual([200, 'committing']);
  expect(await codeOf(org, await tokenOf(org, id))).toEqual([200, 'committing']);
});

test('IMP-065 a token works up to the last second of its hour', async () => {
  const org = await world().newOrg();
  const still = world().clock.now();
  world().clock.now = () => still;
  try {
    const { token } = await previewed(org);
    await org.rest('POST /v1/test-clock', { advance: 3_599 });
    expect(await codeOf(org, token)).toEqual([200, 'committing']);
  } finally {
    world().clock.now = () => new Date();
  }
});

test('a token is taken exactly as it was issued', async () => {
  const org = await world().newOrg();
  const { token } = await previewed(org);
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const twin = token.slice(0, -1) + letters[letters.indexOf(token.at(-1)!) ^ 1]!;
  for (const changed of [`${token}=`, `${token} `, ` ${token}`, `${token}\n`, twin])
    expect((await codeOf(org, changed))[0]).not.toBe(200);
  expect(await codeOf(org, token)).toEqual([200, 'committing']);
});

test('IMP-066 commit_import takes commit_token, and nothing else', async () => {
  const org = await world().newOrg();
  const { id, token } = await previewed(org);
  for (const sent of [
    {},
    { commit_token: '' },
    { commit_token: 7 },
    { commit_token: token, import_id: id },
  ]) {
    const { status, body } = await org.rest('POST /v1/imports/commit', sent);
    expect([status, body.code]).toEqual([400, 'invalid_request']);
  }
  const { isError, body } = await org.tool('commit_import', { commit_token: token });
  expect([isError, body]).toEqual([false, { import_id: id, status: 'committing' }]);
});

test('IMP-001 a commit without a preview is refused: nothing but a whole token opens', async () => {
  const org = await world().newOrg();
  const { id, token } = await previewed(org);
  const before = await contentsOf(world().admin, org);
  const middle = Math.floor(token.length / 2);
  const flipped = token.slice(0, middle) + (token[middle] === 'A' ? 'B' : 'A') + token.slice(middle + 1);
  const wrong = [id, 'x', token.slice(0, -1), token.slice(0, -6), token.slice(1), flipped, `A${token}`];
  for (const one of wrong) expect([one, await codeOf(org, one)]).toEqual([one, [404, 'not_found']]);
  expect(await contentsOf(world().admin, org)).toEqual(before);
  expect(await codeOf(org, token)).toEqual([200, 'committing']);
});

test("another organization's token behaves as not found, and stays good", async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  const { id, token } = await previewed(org);
  expect(await codeOf(other, token)).toEqual([404, 'not_found']);
  const foreign = await other.rest(`POST /v1/imports/${id}/preview`, {});
  expect([foreign.status, foreign.body.code]).toEqual([404, 'not_found']);
  expect(await codeOf(org, token)).toEqual([200, 'committing']);
});

test('a token commits its own import, whatever else is there', async () => {
  const org = await world().newOrg();
  const [one, two] = [await previewed(org), await previewed(org)];
  const { body } = await commit(org, two.token);
  expect(body.import_id).toBe(two.id);
  expect((await org.rest(`GET /v1/imports/${one.id}`)).body.status).toBe('mapped');
});

test('a canceled import is not found, a committed one is not committed again or previewed', async () => {
  const org = await world().newOrg();
  const { id, token } = await previewed(org);
  await org.rest(`DELETE /v1/imports/${id}`);
  expect(await codeOf(org, token)).toEqual([404, 'not_found']);
  const again = await previewed(org);
  expect(await codeOf(org, again.token)).toEqual([200, 'committing']);
  expect(await codeOf(org, again.token)).toEqual([409, 'import_committed']);
  const { status, body } = await org.rest(`POST /v1/imports/${again.id}/preview`, {});
  expect([status, body.code]).toEqual([409, 'import_committed']);
});

test('a token says nothing of the rows, and two previews give different ones', async () => {
  const org = await world().newOrg();
  const { id, token } = await previewed(org);
  const second = await preview(org, id);
  expect(second.commit_token).not.toBe(token);
  expect(Buffer.from(token, 'base64url').toString('latin1')).not.toMatch(/example|block/);
  expect(token.length).toBeLessThan(400);
  await append(org, id, [{ mail: 'more@example.com' }]);
  expect(await codeOf(org, second.commit_token)).toEqual([409, 'import_changed']);
});
