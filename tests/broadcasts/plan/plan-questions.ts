import { newDraft } from '../../support/broadcast.ts';
import { newSegment } from '../../support/segment.ts';
import type { TestOrg } from '../../support/test-org.ts';
import {
  addressOf,
  oldestOf,
  isBlank,
  readings,
  reasonAgainst,
  type Person,
  type Webinar,
} from './plan-oracle.ts';
import type { Json } from './plan-support.ts';

export interface Question {
  readonly what: string;
  readonly channel: 'email' | 'sms';
  readonly fields: Json;
  readonly webinar?: Webinar;
  readonly belongs: (person: Person) => boolean;
}

const segments: readonly [what: string, filters: Json[], belongs: Question['belongs']][] = [
  ['Adas', [{ property: 'first_name', op: 'eq', value: 'Ada' }], (one) => one.first_name === 'Ada'],
  [
    'not gold',
    [{ custom_property_key: 'tier', op: 'neq', value: 'gold' }],
    (one) => one.properties['tier'] !== 'gold',
  ],
  [
    'five seats or more',
    [{ custom_property_key: 'seats', op: 'gte', value: 5 }],
    ({ properties }) => Number(properties['seats'] ?? 0) >= 5,
  ],
  [
    'important with an email address',
    [
      { custom_property_key: 'vip', op: 'eq', value: true },
      { property: 'primary_email', op: 'is_not_empty' },
    ],
    (one) => one.properties['vip'] === true && addressOf(one, 'email') !== undefined,
  ],
  ['paying more than one', [{ property: 'mrr', op: 'gt', value: 1 }], ({ mrr }) => mrr > 100],
  ['nobody', [{ property: 'first_name', op: 'eq', value: 'Nobody at all' }], () => false],
  ['everybody', [{ property: 'created_at', op: 'lte', value: 'now' }], () => true],
];

/** Every audience on every channel it can have. */
export async function questionsFor(org: TestOrg, webinars: readonly Webinar[]): Promise<Question[]> {
  const questions: Question[] = [
    {
      what: 'everyone',
      channel: 'email',
      fields: { audience: 'everyone' },
      belongs: (one) => (addressOf(one, 'email') ?? oldestOf(one, 'email')) !== undefined,
    },
  ];
  for (const [what, filters, belongs] of segments) {
    const segment_id = await newSegment(org, filters);
    questions.push({ what, channel: 'email', fields: { audience: 'segment', segment_id }, belongs });
  }
  for (const webinar of webinars) {
    for (const channel of ['email', 'sms'] as const) {
      for (const webinar_audience of ['registered', 'attended', 'no_show'] as const) {
        questions.push({
          what: `${webinar_audience} by ${channel}, link ${webinar.join_url}`,
          channel,
          webinar,
          fields: { audience: 'webinar', webinar_id: webinar.id, webinar_audience },
          belongs: ({ registrations: { [webinar.id]: registration } }) =>
            registration !== undefined &&
            (webinar_audience === 'registered' ||
              registration.attended === (webinar_audience === 'attended')),
        });
      }
    }
  }
  return questions;
}

const readFor = ({ webinar }: Question) =>
  Object.entries(readings).filter(([, { needsWebinar }]) => needsWebinar !== true || webinar !== undefined);

export async function draftFor(org: TestOrg, sender_id: string, question: Question): Promise<string> {
  const names = readFor(question).map(([name]) => name);
  const text = names.map((name) => `{{${name}}}`).join(';');
  const variables = Object.fromEntries(names.map((name) => [name, readings[name]!.definition]));
  const body =
    question.channel === 'email'
      ? { subject: 'S', html: `<p>${text}</p>`, sender_id }
      : { message_body: text };
  return (await newDraft(org, { channel: question.channel, ...question.fields, ...body, variables })).id;
}

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** What the plan must say, from the rows alone. */
export function expectedOf(question: Question, people: readonly Person[]) {
  const members = people.filter(question.belongs);
  const reasons = members.map((person) => reasonAgainst(person, question.channel));
  const reachable = members.filter((_, at) => reasons[at] === undefined);
  const excluded = Object.groupBy(reasons, (reason) => reason ?? '');
  const valueOf = (name: string, person: Person): string | undefined => {
    const value = readings[name]!.read(person, question.webinar) ?? '';
    return isBlank(value) ? undefined : value;
  };
  return {
    audience: {
      recipients: members.length,
      reachable: reachable.length,
      excluded: Object.entries(excluded)
        .filter(([reason]) => reason !== '')
        .map(([reason, of]) => ({ reason, count: of!.length }))
        .toSorted((a, b) => (a.reason < b.reason ? -1 : 1)),
    },
    variables: readFor(question).map(([name, { definition }]) => {
      const { length } = reachable.filter((person) => valueOf(name, person) !== undefined);
      const counts = { with_value: length, with_fallback: reachable.length - length };
      return { name, variable: definition.variable, ...counts };
    }),
    bodies: new Map(
      reachable.map((person) => {
        const parts = readFor(question).map(([name, { definition }]) => {
          const value = valueOf(name, person);
          if (value === undefined) return definition['fallback'] ?? '';
          return (definition['template'] ?? '{{var}}').replaceAll('{{var}}', () => value);
        });
        return [
          person.id,
          question.channel === 'email' ? `<p>${parts.map(escaped).join(';')}</p>` : parts.join(';'),
        ];
      }),
    ),
  };
}
