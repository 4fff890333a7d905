import { useState } from 'react';
import { useAsk, useOrg } from '../call/use-call.ts';
import { count } from '../format/number.ts';
import { Page } from '../frame/frame.tsx';
import { LockNote } from '../frame/lock-note.tsx';
import { useWhyNot } from '../frame/me.ts';
import { Blank, Failed, Skeleton } from '../ui/blank.tsx';
import { Button } from '../ui/button.tsx';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { PropertyForm } from './property-form.tsx';
import { PropertyTable } from './property-table.tsx';
import './properties.css';

export function PropertiesPage() {
  const org = useOrg();
  const asked = useAsk('list_property_configs', {});
  const most = useAsk('get_settings', {}).data?.settings.limits.property_configs;
  const [isMaking, setMaking] = useState(false);
  const whyNot = useWhyNot()('create_property_config');
  const properties = asked.data?.property_configs;
  const add = (
    <Button kind="primary" unless={whyNot} onClick={() => setMaking(true)}>
      Add property
    </Button>
  );
  return (
    <Page crumbs={[['People', `/o/${org}/people`]]} title="Properties">
      <div className="page mid">
        <div className="head">
          <div>
            <h1>
              Properties{' '}
              {properties !== undefined && most !== undefined && (
                <span className="hint">
                  {count(properties.length)} of at most {count(most)}
                </span>
              )}
            </h1>
            <p className="sub">Facts about people that are your own, beside those that everybody has.</p>
          </div>
          {properties?.length !== 0 && <div className="acts">{add}</div>}
        </div>
        <LockNote operation="create_property_config" />
        {asked.error !== null ? (
          <Failed problem={asked.error} what="properties" retry={() => void asked.refetch()} />
        ) : properties === undefined ? (
          <Skeleton rows={6} />
        ) : properties.length === 0 ? (
          <Blank icon="person" title="There are no properties yet" action={add}>
            A plan, a language, how many seats: add what you want to filter by or write into messages.
          </Blank>
        ) : (
          <PropertyTable properties={properties} />
        )}
        <div className="row g4 mt4 wrap">
          <CopyAsCall operation="list_property_configs" input={{}} />
        </div>
      </div>
      <PropertyForm key={String(isMaking)} open={isMaking} onClose={() => setMaking(false)} />
    </Page>
  );
}
