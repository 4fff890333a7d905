import { useAsk } from '../../call/use-call.ts';
import { useMe } from '../../frame/me.ts';
import { initialsOf, nameOf } from '../../people/name.ts';
import { Select } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';

/** Somebody who is sent through the workflow: a person, or one who is not there. */
export interface Traveller {
  /** The person's id, or `new`. */
  readonly id: string;
  readonly name: string;
  readonly initials: string;
  /** When they registered, if they did. */
  readonly registered_at: string | undefined;
}

export const somebodyNew: Traveller = {
  id: 'new',
  name: 'Somebody new',
  initials: '+1',
  registered_at: undefined,
};
const most = 5;

/** Whom one may choose: the registrants of the webinar, else some people. */
export function useChoices(
  webinar: string | undefined,
  named: string | undefined,
): { readonly choices: readonly Traveller[]; readonly isKnown: boolean } {
  const { permissions } = useMe();
  const mayRead = permissions.includes('people.read');
  const registered = useAsk(
    'list_registrations',
    { webinar_id: webinar ?? '', limit: 50 },
    { enabled: mayRead && webinar !== undefined && permissions.includes('webinars.read') },
  );
  const some = useAsk('list_people', { limit: 50 }, { enabled: mayRead && webinar === undefined });
  const asked = useAsk('get_person', { person_id: named ?? '' }, { enabled: mayRead && named !== undefined });
  const people = [
    ...(asked.data === undefined ? [] : [{ ...asked.data.person, registered_at: undefined }]),
    ...(registered.data?.registrations ?? []).flatMap(({ person, person_id, registered_at }) =>
      person === null ? [] : [{ ...person, id: person_id, registered_at }],
    ),
    ...(webinar === undefined ? (some.data?.people ?? []) : []).map((person) => ({
      ...person,
      registered_at: undefined,
    })),
  ];
  const travellers = people.map((person) => ({
    id: person.id as string,
    name: nameOf(person),
    initials: initialsOf(person),
    registered_at: person.registered_at as string | undefined,
  }));
  // Somebody whom the address names may be a registrant, too: then that is known of them.
  const known = new Map(travellers.map((one) => [one.id, one]));
  return {
    choices: [...known.values(), somebodyNew],
    isKnown: ![registered, some, asked].some(({ isLoading }) => isLoading),
  };
}

interface CastProps {
  readonly cast: readonly Traveller[];
  readonly choices: readonly Traveller[];
  readonly led: string;
  readonly onLead: (id: string) => void;
  readonly onChange: (cast: readonly Traveller[]) => void;
}

/** Who travels. One of them leads: the way drawn is theirs. */
export function Cast({ cast, choices, led, onLead, onChange }: CastProps) {
  const others = choices.filter(({ id }) => !cast.some((one) => one.id === id));
  return (
    <div className="cast" role="group" aria-label="Who travels">
      {cast.map(({ id, name, initials }) => (
        <span key={id} className={id === led ? 'one on' : 'one'}>
          <button type="button" aria-pressed={id === led} onClick={() => onLead(id)}>
            <span className="avatar" aria-hidden="true">
              {initials}
            </span>
            <span className="ellipsis">{name}</span>
          </button>
          {cast.length > 1 && (
            <button
              type="button"
              className="off"
              aria-label={`Leave ${name} out`}
              onClick={() => onChange(cast.filter((one) => one.id !== id))}
            >
              <Icon name="close" small />
            </button>
          )}
        </span>
      ))}
      {others.length > 0 && cast.length < most && (
        <Select
          size="s"
          aria-label="Add somebody"
          value=""
          onChange={({ target: { value } }) => {
            const chosen = others.find(({ id }) => id === value);
            if (chosen !== undefined) onChange([...cast, chosen]);
          }}
          choices={[['', 'Add somebody'], ...others.map(({ id, name }) => [id, name] as const)]}
        />
      )}
    </div>
  );
}
