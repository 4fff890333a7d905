// The judge of merge histories must itself be able to say no.
import { expect, test } from 'vitest';
import type { History } from './identify-history.ts';
import { judge, judgeOrder, type Remains } from './judge-history.ts';
import type { Answers } from './run-history.ts';

const call = { withProperty: null, optOut: null };

/** Two people are made, the second opts out of email, a third call joins them; somebody else stands apart. */
const history: History = [
  { ...call, sent: { email: 'a@example.com' } },
  { ...call, sent: { phone: '1' }, optOut: { back: 0, flags: { email_opt_out: true } } },
  { ...call, sent: { email: 'a@example.com', phone: '1' }, withProperty: true },
  { ...call, sent: { external_user_id: 'x' } },
];
const answers: Answers = [
  { person_id: 'A', created: true },
  { person_id: 'B', created: true },
  { person_id: 'A', created: false },
  { person_id: 'C', created: true },
];
const held = { is_primary: true };
const sound: Remains = {
  people: [
    { id: 'A', email: 'a@example.com', phone: '1', external_id: null },
    { id: 'C', email: null, phone: null, external_id: 'x' },
  ],
  identifiers: [
    { ...held, person_id: 'A', type: 'email', value: 'a@example.com' },
    { ...held, person_id: 'A', type: 'phone', value: '1' },
    { ...held, person_id: 'C', type: 'org_assigned_user_id', value: 'x' },
  ],
  optOuts: [{ person_id: 'A', email: true, sms: false }],
  redirects: [{ id: 'B', survivor_id: 'A' }],
  counted: 2,
  propertyChanges: 1,
  dangling: [],
};

test('nothing is wrong with what the calls lead to', () => {
  expect([...judge(history, answers, sound), ...judgeOrder(history, answers)]).toEqual([]);
});

const [email, phone, external] = sound.identifiers as [
  Remains['identifiers'][0],
  Remains['identifiers'][0],
  Remains['identifiers'][0],
];
test.each<[string, Partial<Remains>, string]>([
  ['people left unmerged', { identifiers: [email, { ...phone, person_id: 'B' }, external] }, 'the groups'],
  [
    'people merged who had nothing in common',
    { identifiers: [email, phone, { ...external, person_id: 'A' }] },
    'the groups',
  ],
  [
    'a person without identifiers',
    { people: [...sound.people, { ...sound.people[0]!, id: 'D' }] },
    'the people',
  ],
  [
    'an identifier held twice',
    { identifiers: [...sound.identifiers, { ...phone, person_id: 'C' }] },
    'the holders of phone 1',
  ],
  [
    'two primaries of a type',
    { identifiers: [...sound.identifiers, { ...email, value: 'b' }] },
    'the primaries of A',
  ],
  ['no primary', { identifiers: [{ ...email, is_primary: false }, phone, external] }, 'the primaries of A'],
  [
    'a row that says otherwise',
    { people: [{ ...sound.people[0]!, phone: null }, sound.people[1]!] },
    'the row of A',
  ],
  ['an opt-out that was lost', { optOuts: [] }, 'the opt-outs of A'],
  [
    'an opt-out out of nowhere',
    { optOuts: [{ person_id: 'A', email: true, sms: true }] },
    'the opt-outs of A',
  ],
  ['a redirect to the dead', { redirects: [{ id: 'B', survivor_id: 'Z' }] }, 'the redirect of B'],
  ['a missing redirect', { redirects: [] }, 'who call 1 identified'],
  ['a wrong count', { counted: 3 }, 'the count of people'],
  ['a property change that was lost', { propertyChanges: 0 }, 'the property changes kept'],
  [
    'a row that refers to the dead',
    { dangling: ['events.person_id'] },
    'events.person_id refers to a dead person',
  ],
])('%s is found', (_, change, wrong) => {
  expect(judge(history, answers, { ...sound, ...change })).toContainEqual(expect.stringContaining(wrong));
});

test('a survivor that was not found first and a person created twice are found', () => {
  const swapped = answers.map((answer, index) => (index === 2 ? { person_id: 'B', created: true } : answer));
  expect(judgeOrder(history, swapped)).toEqual(['call 2: created is true', 'call 2: B, not A']);
});
