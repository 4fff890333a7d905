import { useState } from 'react';
import { useAsk, useOrg } from '../call/use-call.ts';
import { Page } from '../frame/frame.tsx';
import { useWhyNot } from '../frame/me.ts';
import { Blank, Failed, Skeleton } from '../ui/blank.tsx';
import { Button } from '../ui/button.tsx';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { DomainCard } from './domain-card.tsx';
import { LockNote } from '../frame/lock-note.tsx';
import { SenderForm } from './sender-form.tsx';
import { SenderTable } from './sender-table.tsx';
import './senders.css';
import './settings.css';

export function SendersPage() {
  const org = useOrg();
  const senders = useAsk('list_senders', {});
  // Records are looked up by themselves too, those of a new domain every minute.
  const domains = useAsk('list_sending_domains', { limit: 200 }, { everyMs: 30_000 });
  const [isAdding, setAdding] = useState(false);
  const whyNot = useWhyNot()('create_sender');
  const failed = senders.error ?? domains.error;
  const retry = (): void => {
    void senders.refetch();
    void domains.refetch();
  };
  const isBare = senders.data?.senders.length === 0 && senders.data.sms.number === null;
  return (
    <Page crumbs={[['Settings', `/o/${org}/settings`]]} title="Senders">
      <div className="page mid">
        <div className="head">
          <div>
            <h1>Senders</h1>
            <p className="sub">
              Addresses that email comes from. Ready when all four records of the domain are right.
            </p>
          </div>
          <div className="acts">
            <Button kind="primary" unless={whyNot} onClick={() => setAdding(true)}>
              Add sender
            </Button>
          </div>
        </div>
        <LockNote operation="create_sender" />
        {failed !== null ? (
          <Failed problem={failed} what="senders" retry={retry} />
        ) : senders.data === undefined || domains.data === undefined ? (
          <Skeleton rows={6} />
        ) : (
          <>
            {isBare && (
              <Blank icon="mail" title="There is no sender yet">
                Email needs an address at a domain of yours, and four records in its DNS.
              </Blank>
            )}
            <SenderTable {...senders.data} />
            {/* What is not right comes first. */}
            {domains.data.sending_domains
              .toSorted((a, b) => Number(a.verified) - Number(b.verified))
              .map((domain) => (
                <DomainCard key={domain.id} listed={domain} />
              ))}
          </>
        )}
        <div className="row g4 mt4 wrap">
          <CopyAsCall operation="list_senders" input={{}} />
        </div>
      </div>
      <SenderForm key={String(isAdding)} open={isAdding} onClose={() => setAdding(false)} />
    </Page>
  );
}
