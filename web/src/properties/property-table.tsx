import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct, useAsk, useOrg } from '../call/use-call.ts';
import type { Output } from '../call/types.ts';
import { count } from '../format/number.ts';
import { useWhyNot } from '../frame/me.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import { Button } from '../ui/button.tsx';
import { useToast } from '../ui/toast.tsx';
import { PropertyForm } from './property-form.tsx';
import { sayType, type Property } from './property.ts';

type Segment = Output<'list_segments'>['segments'][number];

export function PropertyTable({ properties }: { readonly properties: readonly Property[] }) {
  const segments = useAsk('list_segments', {}).data?.segments ?? [];
  return (
    <section className="card">
      <table className="tbl tall stacks props">
        <thead>
          <tr>
            <th className="first">Property</th>
            <th>Key</th>
            <th>Type</th>
            <th>Used by</th>
            <th className="last">
              <span className="vh">Change</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {properties.map((property) => (
            <PropertyRow
              key={property.id}
              property={property}
              uses={segments.filter(({ filters }) =>
                filters.some(({ custom_property_key }) => custom_property_key === property.key),
              )}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface PropertyRowProps {
  readonly property: Property;
  readonly uses: readonly Segment[];
}

function PropertyRow({ property, uses }: PropertyRowProps) {
  const org = useOrg();
  const [isChanging, setChanging] = useState(false);
  const whyNot = useWhyNot();
  const toast = useToast();
  const remove = useAct('delete_property_config', ['list_property_configs', 'list_segments', 'get_person']);
  return (
    <tr>
      <td className="first">
        <div className="medium">{property.name}</div>
        {property.description !== null && <div className="hint">{property.description}</div>}
      </td>
      <td className="mono" data-label="Key">
        {property.key}
      </td>
      <td className="muted" data-label="Type">
        {sayType(property.type)}
      </td>
      <td data-label="Used by">
        {uses.length === 0
          ? '—'
          : uses.map(({ id, name }) => (
              <Link
                key={id}
                className="link use"
                to="/o/$org/segments/$segment"
                params={{ org, segment: id }}
              >
                {name}
              </Link>
            ))}
      </td>
      <td className="last num">
        <Button
          kind="ghost"
          size="s"
          unless={whyNot('update_property_config')}
          aria-label={`Change ${property.name}`}
          onClick={() => setChanging(true)}
        >
          Change
        </Button>
        <AskFirst
          verb="Delete"
          busy="Deleting"
          what={property.name}
          keep="Keep it"
          whyNot={whyNot('delete_property_config')}
          act={remove}
          input={{ config_id: property.id }}
          onDone={({ deleted_values }) =>
            toast(
              `“${property.name}” deleted, with ${count(deleted_values)} ${deleted_values === 1 ? 'value' : 'values'}`,
            )
          }
        >
          Everybody’s value of it goes with it, and it cannot be undone.
          {uses.length > 0 && ' Segments that ask for it stay, and match nobody.'}
        </AskFirst>
        <PropertyForm
          key={String(isChanging)}
          open={isChanging}
          property={property}
          onClose={() => setChanging(false)}
        />
      </td>
    </tr>
  );
}
