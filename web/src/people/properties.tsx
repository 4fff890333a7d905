import { useState } from 'react';
import { useAct } from '../call/use-call.ts';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { Input } from '../ui/field.tsx';
import type { PersonRecord } from './record.ts';

type Property = PersonRecord['custom_properties'][string];

export function Properties({ person }: { readonly person: PersonRecord }) {
  const properties = Object.entries(person.custom_properties);
  if (properties.length === 0)
    return (
      <section>
        <p className="muted">This organization has no properties of its own yet.</p>
      </section>
    );
  return (
    <section>
      <table className="tbl tight small">
        <thead>
          <tr>
            <th>Property</th>
            <th>Value</th>
            <th>
              <span className="vh">Change</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {properties.map(([key, property]) => (
            <PropertyRow key={key} personId={person.id} name={key} property={property} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

const textOf = ({ value }: Property): string => (value === null ? '' : String(value));

/** What was typed as the property's own kind; the service says what does not fit. */
const valueOf = (typed: string, { type }: Property): string | number | boolean | null => {
  if (typed === '') return null;
  if (type === 'number' && !Number.isNaN(Number(typed))) return Number(typed);
  if (type === 'boolean' && (typed === 'true' || typed === 'false')) return typed === 'true';
  return typed;
};

function PropertyRow({
  personId,
  name,
  property,
}: {
  readonly personId: string;
  readonly name: string;
  readonly property: Property;
}) {
  const [typed, setTyped] = useState<string>();
  const set = useAct('set_person_property', ['get_person']);
  const whyNot = useWhyNot()('set_person_property');
  const save = (): void =>
    set.mutate(
      { person_id: personId, key: name, value: valueOf(typed ?? '', property) },
      { onSuccess: () => setTyped(undefined) },
    );
  return (
    <tr>
      <td>
        {property.name} <span className="hint">{property.type}</span>
      </td>
      <td className="ellipsis">
        {typed === undefined ? (
          textOf(property) || '—'
        ) : (
          <Input
            size="s"
            autoFocus
            aria-label={property.name}
            aria-invalid={set.error === null ? undefined : true}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') save();
              if (event.key === 'Escape') setTyped(undefined);
              event.stopPropagation();
            }}
          />
        )}
        {set.error !== null && <p className="err">{set.error.errors[0]?.detail ?? set.error.message}</p>}
      </td>
      <td className="num">
        {typed === undefined ? (
          <Button
            kind="ghost"
            size="s"
            icon="edit"
            aria-label={`Change ${property.name}`}
            unless={whyNot}
            onClick={() => setTyped(textOf(property))}
          />
        ) : (
          <Button size="s" busy={set.isPending && 'Saving'} onClick={save}>
            Save
          </Button>
        )}
      </td>
    </tr>
  );
}
