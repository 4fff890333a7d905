import { beforeAll, describe, expect, test } from 'vitest';
import type { PersonField } from '../../src/domain/person-fields/field.ts';
import { fieldNames, fieldOf, writtenFields } from '../../src/domain/person-fields/fields.ts';
import { path } from '../content/body-setting.ts';
import { reads, rendered, setColumns } from '../content/variable-setting.ts';
import { newWebinar } from '../support/broadcast.ts';
import { engagementOf } from '../support/engagement.ts';
import type { RestAnswer, TestOrg } from '../support/test-org.ts';

import { useWorld } from '../support/world.ts';

const world = useWorld();

const declared = fieldNames.map((name) => ({ name, ...fieldOf(name) }));

interface Sample {
  readonly stored: string | number;
  /** As callers see it, and filter by it. */
  readonly shown: string | number;
}

/** A lesser and a greater value of a field. */
function samplesOf(field: PersonField): readonly [Sample, Sample] {
  const same = (one: string | number, other: string | number) =>
    [
      { stored: one, shown: one },
      { stored: other, shown: other },
    ] as const;
  const score = (shown: number) => ({ stored: engagementOf(shown, world().clock.now()), shown });
  switch (field.kind) {
    case 'text':
      // The case of names is repaired, and addresses are compared in lower case.
      return field.control === 'email' ? same('anna', 'bert') : same('Anna', 'Bert');
    case 'choice':
      return same(field.values[0]!, field.values[1]!);
    case 'number':
      return same(1.5, 20);
    case 'money':
      return [
        { stored: 1_050, shown: 10.5 },
        { stored: 99_900, shown: 999 },
      ];
    case 'score':
      return [score(20), score(70)];
    case 'moment':
      return same('2026-01-31T08:00:00.000Z', '2026-06-30T17:30:00.000Z');
  }
}

let org: TestOrg;
/** One with the lesser value of every field, one with the greater, one with none. */
let [lesser, greater, without] = ['', '', ''];
beforeAll(async () => {
  org = await world().newOrg();
  [lesser, greater, without] = [
    await org.person({ anonymous_id: 'lesser' }),
    await org.person({ anonymous_id: 'greater' }),
    await org.person({ anonymous_id: 'without' }),
  ];
  for (const [at, person] of [lesser, greater].entries())
    await setColumns(
      world(),
      person,
      Object.fromEntries(declared.map((field) => [field.column, samplesOf(field)[at]!.stored])),
    );
});

const idsOrStatus = ({ status, body }: RestAnswer): string[] | number =>
  status === 200 ? body.people.map(({ id }: { id: string }) => id) : status;

describe.each(declared)('$name', (field) => {
  const { name, shown, filter, listFilter, sorted, variable } = field;

  test(`is shown as declared: ${shown}`, async () => {
    const value = samplesOf(field)[1].shown;
    const { person } = (await org.rest(`GET /v1/people/${greater}`)).body;
    const { people } = (await org.rest('GET /v1/people?limit=200')).body;
    const listed = people.find(({ id }: { id: string }) => id === greater);
    const [inRecord, inSummary] = [shown !== 'nowhere' && { [name]: value }, shown === 'summary'];
    expect(person).toMatchObject(inRecord || {});
    expect(name in person).toBe(shown !== 'nowhere');
    expect(listed[name]).toBe(inSummary ? value : undefined);
  });

  test(`is filtered by in segments as declared: ${filter}`, async () => {
    const property = field.filterName ?? name;
    const [low, high] = samplesOf(field);
    const condition = ['number', 'date'].includes(filter!)
      ? { property, op: 'gt', value: low.shown }
      : { property, op: 'eq', value: high.shown };
    const { body } = await org.rest('POST /v1/segments/preview', { filters: [condition] });
    // Everybody has been known since they came, which is later than either.
    const late = name === 'created_at' ? [without] : [];
    expect(body.samples.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      [greater, ...late].toSorted(),
    );
  });

  test(`is filtered by in lists as declared: ${listFilter}`, async () => {
    const [low, high] = samplesOf(field);
    const byValue = await org.rest(`GET /v1/people?${name}=${encodeURIComponent(high.shown)}`);
    const byBound = await org.rest(`GET /v1/people?${name}_gte=${low.shown}&${name}_lte=${low.shown}`);
    // The external id is found among the identifiers, of which these people have none.
    const ofValue = listFilter === 'value' ? [greater] : name === 'external_user_id' ? [] : 400;
    expect([byValue, byBound].map(idsOrStatus)).toEqual([ofValue, listFilter === 'bounds' ? [lesser] : 400]);
  });

  test(`sorts a list as declared: ${sorted}`, async () => {
    const answer = await org.rest(`GET /v1/people?sort=${name}&order=asc`);
    // An amount that nobody paid is less than any; whoever has no value comes last.
    const inOrder = field.kind === 'money' ? [without, lesser, greater] : [lesser, greater, without];
    expect(idsOrStatus(answer)).toEqual(sorted ? inOrder : 400);
  });

  test(`is read by a variable as declared: ${variable?.example ?? 'no'}`, async () => {
    const { variables } = (await org.rest('GET /v1/broadcasts/variables')).body;
    const listed = variables.filter((one: { variable: string }) => one.variable === path(name));
    expect(listed).toMatchObject(
      variable === null ? [] : [{ label: field.label, example: variable.example }],
    );
    if (variable === null) return;
    expect(await rendered(org, lesser, reads(name))).toBe(String(samplesOf(field)[0].shown));
  });
});

describe.each(writtenFields)('%s can be written', (name) => {
  const read = async (person: string) => (await org.rest(`GET /v1/people/${person}`)).body.person[name];

  test('by identifying, which fills it, and by updating, which replaces and removes it', async () => {
    const email = `${name}@example.com`;
    const person = await org.person({ email });
    await org.tool('identify_person', { email, [name]: ' First ' });
    await org.tool('identify_person', { email, [name]: 'Second' });
    expect(await read(person)).toBe('First');
    await org.rest(`PATCH /v1/people/${person}`, { [name]: 'Third' });
    expect(await read(person)).toBe('Third');
    await org.rest(`PATCH /v1/people/${person}`, { [name]: null });
    expect(await read(person)).toBe(null);
    expect(await read(await org.person({ email: `new-${email}`, [name]: 'Fourth' }))).toBe('Fourth');
  });

  test('by registering for a webinar, also as a property of that name', async () => {
    const webinar_id = await newWebinar(world(), org);
    for (const user of [{ [name]: 'Registrant' }, { properties: { [name]: 'Registrant' } }]) {
      const email = `${'properties' in user ? 'property' : 'field'}-${name}@example.com`;
      const { body } = await org.rest('POST /v1/webinars/register', { webinar_id, user: { email, ...user } });
      expect(await read(body.org_user_id)).toBe('Registrant');
    }
  });
});

test('every field that is written has a label and a control of text', () => {
  for (const name of writtenFields) {
    const { label, control } = fieldOf(name);
    expect(label).not.toBe('');
    expect(['text', 'email', 'phone']).toContain(control);
  }
});
