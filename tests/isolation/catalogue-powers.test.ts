import { expect, test } from 'vitest';
import { operations } from '../../src/catalogue/operations.ts';
import { performer } from '../../src/catalogue/perform.ts';
import { leaveOrganization } from '../../src/domain/members/leave-organization.ts';
import { createKey } from '../../src/domain/members/create-api-key.ts';
import { deletePerson } from '../../src/domain/people/record/delete-person.ts';
import { identifyPerson } from '../../src/domain/people/identify/identify-person.ts';
import { replaceExternalId } from '../../src/domain/people/identify/replace-external-id.ts';
import { permissions, type Power } from '../../src/kernel/caller.ts';
import { Failure } from '../../src/kernel/failure.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { contentsOf } from '../support/org-contents.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const catalogue: readonly AnyOperation[] = operations;

interface Example {
  readonly operation: AnyOperation;
  readonly input: (person_id: string) => Record<string, unknown>;
  /** What a caller hears that lacks the power. */
  readonly without: object;
  /** What is read of the person after a caller that has it. */
  readonly done: object;
}

const email = 'ann@example.com';
const forbidden = { refused: 'forbidden', detail: expect.stringMatching(/ is open to .* only\.$/) as string };
const unknownField = (pointer: string) =>
  expect.objectContaining({ pointer, code: 'unknown_field' }) as unknown;

/** The type asks for an example of every power there is. */
const examples: Record<Power, Example> = {
  drop_suppression: {
    operation: deletePerson,
    input: (person_id) => ({ person_id, drop_suppression: true }),
    without: { refused: 'invalid_request', errors: [unknownField('/drop_suppression')] },
    done: { status: 404 },
  },
  replace_external_id: {
    operation: replaceExternalId,
    input: (person_id) => ({ person_id, external_user_id: 'new' }),
    without: forbidden,
    done: { body: { person: { external_user_id: 'new', first_name: 'Ann' } } },
  },
  replace_names: {
    operation: identifyPerson,
    input: () => ({ email, first_name: 'Anna' }),
    without: { answered: { created: false } },
    done: { body: { person: { external_user_id: 'old', first_name: 'Anna' } } },
  },
  manage_access: {
    operation: createKey,
    input: () => ({ name: 'Another key' }),
    without: { refused: 'forbidden' },
    done: { status: 200 },
  },
  leave: {
    operation: leaveOrganization,
    input: () => ({}),
    without: { refused: 'forbidden' },
    done: { status: 200 },
  },
};
const allPowers = Object.keys(examples) as Power[];

/** Calls an operation with every permission and these powers alone, as no face lets anybody choose. */
async function performWith(powers: readonly Power[], org: TestOrg, operation: AnyOperation, input: unknown) {
  const perform = performer(world().database, keyring(world().config), mailSettings(world().config));
  const caller = {
    org: org.id,
    actor: { kind: 'api_key', id: org.keyId },
    permissions: new Set(permissions),
    powers: new Set(powers),
    face: 'rest',
    requestId: 'a test',
    address: null,
    now: new Date(),
    mode: 'test',
    currency: 'USD',
  } as const;
  return perform(operation, caller, input).then(
    ({ output }) => ({ answered: output }),
    (error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      return { refused: error.code, detail: error.message, errors: error.extras.errors };
    },
  );
}

async function optedOutPerson(org: TestOrg): Promise<string> {
  const person = await org.person({ email, external_user_id: 'old', first_name: 'Ann' });
  await org.rest(`PATCH /v1/people/${person}/opt-outs`, { email_opt_out: true });
  // Whoever calls below is a member too, by the id of the key.
  const member = "insert into members values ($1, $2, 'caller@example.com', 'admin', now())";
  await world().admin.query(member, [org.id, org.keyId]);
  return person;
}

test.each(Object.entries(examples))(
  'whoever has every power but %s changes nothing by it',
  async (power, { operation, input, without }) => {
    const org = await world().newOrg();
    const person = await optedOutPerson(org);
    const before = await contentsOf(world().admin, org);
    const others = allPowers.filter((one) => one !== power);
    expect(await performWith(others, org, operation, input(person))).toMatchObject(without);
    expect(await contentsOf(world().admin, org)).toEqual(before);
  },
);

test.each(Object.entries(examples))(
  'whoever has %s needs no other power for it',
  async (power, { operation, input, done }) => {
    const org = await world().newOrg();
    const person = await optedOutPerson(org);
    const answer = await performWith([power as Power], org, operation, input(person));
    expect(answer).toHaveProperty('answered');
    expect(await org.rest(`GET /v1/people/${person}`)).toMatchObject(done);
  },
);

const needing = catalogue.filter(({ power }) => power !== undefined);

test.each(needing)('$name is forbidden without $power before its input is looked at', async (operation) => {
  const org = await world().newOrg();
  const others = allPowers.filter((one) => one !== operation.power);
  for (const powers of [[], others]) {
    expect(await performWith(powers, org, operation, { nonsense: true })).toMatchObject(forbidden);
  }
});

const guarded = catalogue.flatMap((operation) =>
  Object.entries(operation.guarded ?? {}).map(([field, power]) => ({
    name: operation.name,
    operation,
    field,
    power,
  })),
);

test.each(guarded)(
  '$name knows no field $field without $power, over tools least of all',
  async ({ operation, field, power }) => {
    const org = await world().newOrg();
    const others = allPowers.filter((one) => one !== power);
    const input = { [field]: null };
    expect(await performWith(others, org, operation, input)).toMatchObject({
      errors: expect.arrayContaining([unknownField(`/${field}`)]) as unknown,
    });
    expect(await performWith([power], org, operation, input)).toMatchObject({
      errors: expect.not.arrayContaining([unknownField(`/${field}`)]) as unknown,
    });
    const { body } = await org.tool(operation.name, input);
    expect(body.errors).toContainEqual(unknownField(`/${field}`));
  },
);

test('each power opens an operation, a field or the names', () => {
  const asked = [...needing.map(({ power }) => power), ...guarded.map(({ power }) => power), 'replace_names'];
  expect(new Set(asked)).toEqual(new Set(allPowers));
});
