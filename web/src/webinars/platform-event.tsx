import { useState } from 'react';
import { useAct, useAsk } from '../call/use-call.ts';
import { count } from '../format/number.ts';
import { moment } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input, Select } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { useToast } from '../ui/toast.tsx';
import type { Webinar } from './state.tsx';

type About = { readonly webinar: Webinar };

/** The event on a webinar platform that registrants are pushed to. */
export function PlatformEvent({ webinar }: About) {
  const asked = useAsk('get_webinar_link', { webinar_id: webinar.id }, { everyMs: 15_000 });
  const link = asked.data?.platform_link;
  return (
    <section>
      <h2 className="h2">Platform event</h2>
      {asked.error !== null ? (
        <p className="err">{asked.error.message}</p>
      ) : link === undefined ? null : link === null ? (
        <LinkForm webinar={webinar} />
      ) : (
        <Linked webinar={webinar} link={link} />
      )}
    </section>
  );
}

type LinkRecord = NonNullable<Awaited<ReturnType<typeof useLinkRecord>>>;
const useLinkRecord = (webinar_id: string) => useAsk('get_webinar_link', { webinar_id }).data?.platform_link;

function Linked({ webinar, link }: About & { readonly link: LinkRecord }) {
  const { now, zone } = useNow();
  const unlink = useAct('unlink_webinar', ['get_webinar_link']);
  const toast = useToast();
  const { pending, registered, refused } = link.registrants;
  const { next_sync_at, synced_at, strangers, trouble } = link.attendance;
  const all = pending + registered + refused;
  return (
    <>
      <ul className="col mt3">
        <li className="ck pass">
          <Icon name="good" />
          <span className="grow">
            Linked to <b className="medium">{link.event_id}</b> on {link.platform}. Registrants are pushed and
            get a personal join link.
          </span>
        </li>
        <li className={pending === 0 && refused === 0 ? 'ck pass' : 'ck off'}>
          <Icon name={pending === 0 ? 'good' : 'clock'} />
          <span className="grow">
            {count(registered)} of {count(all)} pushed
            {refused > 0 && `, ${count(refused)} not taken by the platform`}
          </span>
        </li>
        {trouble !== null && (
          <li className="ck error">
            <Icon name="bad" />
            <span className="grow">{trouble}</span>
          </li>
        )}
        {next_sync_at !== null && (
          <li className="ck off">
            <Icon name="clock" />
            <span className="grow">Attendance is read about {moment(new Date(next_sync_at), zone, now)}</span>
          </li>
        )}
        {synced_at !== null && (
          <li className="ck pass">
            <Icon name="good" />
            <span className="grow">
              Attendance read {moment(new Date(synced_at), zone, now)}
              {strangers > 0 && `; ${count(strangers)} of the report are not registered here`}
            </span>
          </li>
        )}
      </ul>
      <Button
        kind="ghost"
        size="s"
        unless={useWhyNot()('unlink_webinar')}
        busy={unlink.isPending && 'Unlinking'}
        onClick={() => unlink.mutate({ webinar_id: webinar.id }, { onSuccess: () => toast('Unlinked') })}
      >
        Unlink
      </Button>
      {unlink.error !== null && (
        <p className="err" role="alert">
          {unlink.error.message}
        </p>
      )}
    </>
  );
}

function LinkForm({ webinar }: About) {
  const connections = useAsk('list_platform_connections', {});
  const link = useAct('link_webinar', ['get_webinar_link']);
  const [chosen, setChosen] = useState<string>();
  const [event_id, setEvent] = useState('');
  const whyNot = useWhyNot()('link_webinar');
  const known = connections.data?.platform_connections ?? [];
  const connection_id = chosen ?? known[0]?.id;
  if (connection_id === undefined)
    return <p className="hint mt2">No platform is connected. Settings, Connections is where one is.</p>;
  return (
    <form
      className="col g3 mt3"
      onSubmit={(event) => {
        event.preventDefault();
        if (whyNot === undefined) link.mutate({ webinar_id: webinar.id, connection_id, event_id });
      }}
    >
      <Field label="Platform">
        {(ids) => (
          <Select
            {...ids}
            value={connection_id}
            onChange={(event) => setChosen(event.target.value)}
            choices={known.map(
              ({ id, platform, account_id }) => [id, `${platform}, account ${account_id}`] as const,
            )}
          />
        )}
      </Field>
      <Field label="Event id" error={link.error?.at('/event_id') ?? link.error?.message}>
        {(ids) => <Input {...ids} value={event_id} onChange={(event) => setEvent(event.target.value)} />}
      </Field>
      <Button
        type="submit"
        unless={whyNot ?? (event_id === '' && 'Give the id of the event.')}
        busy={link.isPending && 'Linking'}
      >
        Link
      </Button>
    </form>
  );
}
