import type { Setting } from '../send/arrange.ts';
import type { Call } from '../support/send-call.ts';

/** What a registration finds: nobody, somebody who is not registered yet, or somebody who is. */
export const kinds = ['new', 'known', 'repeat'] as const;
export type Kind = (typeof kinds)[number];

/** A registration as the bare server is told of it: what stands in the recorded statements where the sample's stood. */
export interface Registrant {
  readonly kind: Kind;
  readonly input: Readonly<Record<string, string>>;
}

/** Half are new, a quarter known, a quarter registered already. Nobody is known twice: then they would be a repeat. */
const mix: readonly Kind[] = ['new', 'known', 'new', 'repeat'];

let made = 0; // in all of them together: nobody is new twice

interface Known {
  readonly person_id: string;
  readonly email: string;
}

/** Makes up registrants for one webinar, for which some are registered beforehand. */
export async function registrantsOf({ rows, org }: Setting, webinar_id: string, repeats: number) {
  const { rows: people } = await rows.query<Known>(
    `select id as person_id, primary_email as email from people where org_id = $1 and primary_email is not null
     order by md5(id::text || 'known') limit 50000`,
    [org.id],
  );
  const registered = people.splice(0, repeats);
  await rows.query(
    `insert into registrations (org_id, id, webinar_id, person_id, registered_at)
     select $1, new_id(now()), $2, unnest($3::uuid[]), now() on conflict do nothing`,
    [org.id, webinar_id, registered.map(({ person_id }) => person_id)],
  );
  let turn = 0;
  const next = (kind: Kind): Registrant => {
    if (kind === 'new') {
      const word = `${process.pid}-${++made}`;
      const names = { first_name: `First ${word}`, last_name: `Last ${word}` };
      return { kind, input: { webinar_id, email: `registrant-${word}@example.net`, ...names } };
    }
    const known = kind === 'known' ? people.pop() : registered[turn % registered.length];
    if (known === undefined) throw new Error('everybody there is has been registered: seed more people');
    return { kind, input: { webinar_id, ...known } };
  };
  return { next, mixed: () => next(mix[turn++ % mix.length]!) };
}

/** What a form sends: of somebody known only the address, so that the profile stays as it is. */
export const bodyOf = ({ input }: Registrant): { webinar_id: string; user: Record<string, string> } => {
  const { webinar_id = '', email = '', first_name, last_name } = input;
  return { webinar_id, user: { email, ...(first_name && last_name && { first_name, last_name }) } };
};

export const toRest = (registrant: Registrant, secret: string): Call => ({
  method: 'POST',
  path: '/v1/webinars/register',
  body: JSON.stringify(bodyOf(registrant)),
  headers: { authorization: secret, 'auth-type': 'api' },
});

export const toBare = ({ kind, input }: Registrant): Call => ({
  method: 'POST',
  path: `/${kind}`,
  body: JSON.stringify(input),
});
