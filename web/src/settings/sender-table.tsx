import { useState } from 'react';
import { useAct } from '../call/use-call.ts';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { AskFirst } from '../ui/ask-first.tsx';
import { SenderForm } from './sender-form.tsx';
import type { Sender, Sms } from './sender-records.ts';
import { SmsRow } from './sms-row.tsx';

export const SenderTable = ({ senders, sms }: { readonly senders: readonly Sender[]; readonly sms: Sms }) => (
  <section className="card scrolls">
    <table className="tbl tall stacks">
      <thead>
        <tr>
          <th className="first">From</th>
          <th>Replies go to</th>
          <th>Domain</th>
          <th>State</th>
          <th className="last">
            <span className="vh">Change</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {senders.map((sender) => (
          <SenderRow key={sender.id} sender={sender} />
        ))}
        <SmsRow sms={sms} />
      </tbody>
    </table>
  </section>
);

function SenderRow({ sender }: { readonly sender: Sender }) {
  const [isChanging, setChanging] = useState(false);
  const whyNot = useWhyNot();
  const remove = useAct('delete_sender', ['list_senders']);
  return (
    <tr>
      <td className="first">
        <div className="medium">{sender.name}</div>
        <div className="hint">{sender.email}</div>
      </td>
      <td className="muted" data-label="Replies go to">
        {sender.reply_to}
      </td>
      <td data-label="Domain">
        <a className="link" href={`#${sender.domain}`}>
          {sender.domain}
        </a>
      </td>
      <td>
        {sender.ready ? (
          <span className="pill ready">
            <Icon name="tick" />
            Ready
          </span>
        ) : (
          <span className="pill warn" title={sender.not_ready_reason ?? undefined}>
            <Icon name="warning" />
            Not ready
          </span>
        )}
      </td>
      <td className="last num">
        <Button
          kind="ghost"
          size="s"
          unless={whyNot('update_sender')}
          aria-label={`Change ${sender.email}`}
          onClick={() => setChanging(true)}
        >
          Change
        </Button>
        <AskFirst
          verb="Delete"
          busy="Deleting"
          what={sender.email}
          keep="Keep it"
          whyNot={whyNot('delete_sender')}
          act={remove}
          input={{ sender_id: sender.id }}
        >
          Nothing can be sent from it any more. Its domain stays, with its records and its standing.
        </AskFirst>
        <SenderForm
          key={String(isChanging)}
          open={isChanging}
          sender={sender}
          onClose={() => setChanging(false)}
        />
      </td>
    </tr>
  );
}
