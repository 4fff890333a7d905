import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAsk, useOrg } from '../call/use-call.ts';
import { useMe } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';

/** Whoever hides the list does so in this browser, for this organization. */
export function useHidden(): [isHidden: boolean, hide: () => void] {
  const name = `rostrum-steps-${useOrg()}`;
  const [isHidden, setHidden] = useState(() => localStorage.getItem(name) === 'hidden');
  return [
    isHidden,
    () => {
      localStorage.setItem(name, 'hidden');
      setHidden(true);
    },
  ];
}

/** What a new organization does before its first send; each step knows by the service whether it is done. */
export function FirstSteps({ onHide }: { readonly onHide: () => void }) {
  const org = useOrg();
  const { organization } = useMe();
  const settings = useAsk('get_settings', {});
  const domains = useAsk('list_sending_domains', { limit: 50 });
  const people = useAsk('list_people', { limit: 1 });
  const layout = useAsk('get_email_layout', {});
  const broadcasts = useAsk('list_broadcasts', { limit: 1 });
  const zone = settings.data?.settings.timezone;
  const steps = [
    {
      title: 'Name the organization and its time zone',
      told: `${organization.name}, ${zone ?? '—'}`,
      isDone: zone !== undefined && zone !== 'UTC',
      to: '/o/$org/settings/organization' as const,
      verb: 'Edit',
    },
    {
      title: 'Verify a sending domain',
      told: 'Four DNS records; usually found within an hour',
      isDone: domains.data?.sending_domains.some(({ verified }) => verified) ?? false,
      to: '/o/$org/settings/senders' as const,
      verb: 'Add a domain',
    },
    {
      title: 'Bring in people',
      told: 'A CSV, the API, or one by hand',
      isDone: (people.data?.total ?? 0) > 0,
      to: '/o/$org/imports' as const,
      verb: 'Import',
    },
    {
      title: 'Set the email layout',
      told: 'Logo, postal address and footer around every email',
      isDone: (layout.data?.email_layout.postal_address ?? '') !== '',
      to: '/o/$org/settings/layout' as const,
      verb: 'Open',
    },
    {
      title: 'Draft a broadcast and plan it',
      told: 'The plan is a dry run; it sends nothing',
      isDone: (broadcasts.data?.total ?? 0) > 0,
      to: '/o/$org/broadcasts' as const,
      verb: 'New',
    },
  ];
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <section className="card steps-card" aria-label="Five steps to the first send">
      <header>
        <h2>Five steps to the first send</h2>
        <span className="hint only-wide">
          Nothing goes out before you have seen who gets it, when, and confirmed.
        </span>
      </header>
      <ol>
        {steps.map(({ title, told, isDone, to, verb }, place) => (
          <li key={title} className={isDone ? 'dn' : place === next ? 'nw' : undefined}>
            <span className="sn">{isDone ? <Icon name="tick" small /> : place + 1}</span>
            <div className="grow">
              <b className="medium">{title}</b>
              {isDone && <span className="vh">, done</span>}
              <div className="hint">{told}</div>
            </div>
            <Link
              className={`btn s ${isDone ? 'ghost' : place === next ? 'primary' : 'secondary'}`}
              to={to}
              params={{ org }}
              aria-label={`${verb}: ${title}`}
            >
              {verb}
            </Link>
          </li>
        ))}
      </ol>
      <footer>
        <span>{steps.filter(({ isDone }) => isDone).length} of 5 done</span>
        <span className="end">
          <Button kind="ghost" size="s" onClick={onHide}>
            Hide this list
          </Button>
        </span>
      </footer>
    </section>
  );
}
