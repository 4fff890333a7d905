import { useState } from 'react';
import { useAsk, useOrg } from '../call/use-call.ts';
import { count } from '../format/number.ts';
import { useMe } from '../frame/me.ts';
import { nameOf } from '../people/name.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/field.tsx';
import { Segmented } from './segmented.tsx';
import type { Broadcast } from './state-pill.tsx';

type View = 'wide' | 'phone' | 'dark' | 'plain';
const views = [
  ['wide', 'Wide'],
  ['phone', 'Phone'],
  ['dark', 'Dark'],
  ['plain', 'Plain'],
] as const;

/** The message as one person gets it: whom the service picks, or one of the audience, one after another. */
export function Preview({ broadcast }: { readonly broadcast: Broadcast }) {
  const org = useOrg();
  const [view, setView] = useState<View>('wide');
  const [person, setPerson] = useState<string>();
  const some = useSome(broadcast);
  const isEmpty = (broadcast.channel === 'sms' ? broadcast.message_body : broadcast.html) === null;
  const asked = useAsk(
    'preview_broadcast',
    { broadcast_id: broadcast.id, ...(person !== undefined && { person_id: person as never }) },
    { keepsFormer: true, enabled: !isEmpty },
  );
  const shown = asked.data?.person_id ?? undefined;
  const place = some.findIndex(({ id }) => id === shown);
  const frame = `/preview/${org}/broadcasts/${broadcast.id}?${new URLSearchParams({
    ...(person !== undefined && { person }),
    revision: String(broadcast.revision),
  }).toString()}`;
  return (
    <section aria-label="Preview">
      <div className="row">
        <h2 className="h2 nowrap">Preview as</h2>
        {some.length > 0 && (
          <span className="row end wrap who-else">
            <Select
              size="s"
              aria-label="Preview as"
              value={place < 0 ? '' : (shown ?? '')}
              onChange={({ target: { value } }) => setPerson(value === '' ? undefined : value)}
              choices={[
                ...(place < 0 ? [['', 'Somebody of the audience'] as const] : []),
                ...some.map((one) => [one.id, nameOf(one)] as const),
              ]}
            />
            <Button
              size="s"
              icon="right"
              aria-label="Next person"
              onClick={() => setPerson(some[(place + 1) % some.length]?.id)}
            />
          </span>
        )}
      </div>
      {isEmpty ? (
        <p className="hint mt2">There is nothing to show yet: write the message.</p>
      ) : asked.error !== null ? (
        <p className="err mt2" role="alert">
          {asked.error.message}
        </p>
      ) : (
        <>
          {broadcast.channel === 'email' && (
            <div className="full mt2">
              <Segmented label="View" choices={views} value={view} onChange={setView} />
            </div>
          )}
          <div className="mailp mt2">
            {broadcast.channel === 'email' && (
              <div className="mh">
                <p className="medium ellipsis">{asked.data?.subject ?? ' '}</p>
                <p className="hint ellipsis">{broadcast.sender?.from ?? 'No sender yet'}</p>
              </div>
            )}
            {broadcast.channel === 'sms' || view === 'plain' ? (
              <pre className="plaintext" tabIndex={0} role="region" aria-label="As plain text">
                {asked.data?.text}
              </pre>
            ) : (
              <div className={`framed ${view}`}>
                <iframe key={frame + view} sandbox="" src={frame} title="The message as it looks" />
              </div>
            )}
          </div>
          {asked.data !== undefined && (
            <p className="hint mt2" role="status">
              {broadcast.channel === 'sms'
                ? `${count(asked.data.text.length)} characters, sent as ${asked.data.segments === 1 ? '1 text' : `${asked.data.segments} texts`}.`
                : `${count(Math.ceil(asked.data.bytes / 1024))} KB.`}
              {shown === undefined && ' Fallbacks and examples stand for values.'}
            </p>
          )}
        </>
      )}
    </section>
  );
}

/** Some of the audience, to look at it through their eyes. */
function useSome({ audience }: Broadcast) {
  const { permissions } = useMe();
  const mayRead = permissions.includes('people.read');
  const isWebinar = audience.kind === 'webinar' && audience.webinar_id !== null;
  const people = useAsk(
    'list_people',
    { limit: 20, ...(audience.segment_id !== null && { segment_id: audience.segment_id }) },
    { enabled: mayRead && !isWebinar },
  );
  const registered = useAsk(
    'list_registrations',
    { webinar_id: audience.webinar_id!, limit: 20 },
    { enabled: mayRead && isWebinar && permissions.includes('webinars.read') },
  );
  if (!isWebinar) return people.data?.people ?? [];
  return (registered.data?.registrations ?? []).flatMap(({ person_id, person }) =>
    person === null ? [] : [{ ...person, id: person_id }],
  );
}
