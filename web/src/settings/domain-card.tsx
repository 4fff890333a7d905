import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useAct, useAsk, useOrg } from '../call/use-call.ts';
import { cityOf, moment } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { AskFirst } from '../ui/ask-first.tsx';
import { DomainRecords } from './domain-records.tsx';
import type { SendingDomain } from './sender-records.ts';

const watchedMs = 1_500;

/** A domain, its records, and how the last look at them went. While they are looked up it is watched. */
export function DomainCard({ listed }: { readonly listed: SendingDomain }) {
  const domain = useWatched(listed);
  const { now, zone } = useNow();
  const [isOpen, setOpen] = useState(!listed.verified);
  const whyNot = useWhyNot();
  const check = useAct('check_sending_domain', ['list_sending_domains', 'get_sending_domain']);
  const remove = useAct('delete_sending_domain', ['list_sending_domains']);
  return (
    <section className="card mt4 domain" id={domain.domain} aria-label={domain.domain}>
      <header>
        <h2>{domain.domain}</h2>
        <Standing domain={domain} />
        <span className="end row wrap">
          <span className="hint" aria-live="polite">
            {domain.checking
              ? 'looking up'
              : domain.checked_at !== null &&
                `looked up ${moment(new Date(domain.checked_at), zone, now)} ${cityOf(zone)}`}
          </span>
          <Button
            size="s"
            icon="again"
            unless={whyNot('check_sending_domain')}
            busy={(check.isPending || domain.checking) && 'Looking up'}
            onClick={() => check.mutate({ domain_id: domain.id })}
          >
            Look up now
          </Button>
          <AskFirst
            verb="Delete"
            busy="Deleting"
            what={domain.domain}
            keep="Keep it"
            whyNot={whyNot('delete_sending_domain')}
            act={remove}
            input={{ domain_id: domain.id }}
          >
            Its key goes for good, and so does its standing. Coming back takes new records.
          </AskFirst>
          <Button
            kind="ghost"
            size="s"
            icon={isOpen ? 'up' : 'down'}
            aria-expanded={isOpen}
            aria-label={`Records of ${domain.domain}`}
            onClick={() => setOpen(!isOpen)}
          />
        </span>
      </header>
      {check.error !== null && (
        <p className="err body" role="alert">
          {check.error.message}
        </p>
      )}
      {isOpen && <DomainRecords domain={domain} />}
      {isOpen && !domain.verified && (
        <footer>
          <Icon name="info" />
          <span>
            Add the records where the DNS of the domain is kept. Some providers add the domain by themselves:
            then leave it out of the host. New records are looked up every minute.
          </span>
        </footer>
      )}
    </section>
  );
}

function Standing({ domain: { verified, records } }: { readonly domain: SendingDomain }) {
  const wanting = records.filter(({ status }) => status !== 'found').length;
  if (verified)
    return (
      <span className="pill ready">
        <Icon name="tick" />
        Verified
      </span>
    );
  return (
    <span className="pill warn">
      <Icon name="warning" />
      {wanting} of {records.length} records to do
    </span>
  );
}

function useWatched(listed: SendingDomain): SendingDomain {
  const org = useOrg();
  const client = useQueryClient();
  const watched = useAsk(
    'get_sending_domain',
    { domain_id: listed.id },
    { enabled: listed.checking, everyMs: watchedMs },
  ).data?.sending_domain;
  const isDone = listed.checking && watched?.checking === false;
  useEffect(() => {
    if (!isDone) return;
    for (const changed of ['list_sending_domains', 'list_senders'])
      void client.invalidateQueries({ queryKey: [org, changed] });
  }, [isDone, client, org]);
  return listed.checking && watched !== undefined ? watched : listed;
}
