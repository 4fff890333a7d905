import { useAsk } from '../call/use-call.ts';
import { Select } from '../ui/field.tsx';
import type { Draft } from './use-draft.ts';

/** Whom it comes from. One that is not ready may stand here, and blocks the plan. */
export function SenderBlock({ draft: { fields, change, problem } }: { readonly draft: Draft }) {
  const asked = useAsk('list_senders', {});
  const senders = asked.data?.senders ?? [];
  const chosen = senders.find(({ id }) => id === fields.sender_id);
  return (
    <section className="blk" id="sender">
      <h2>Sender</h2>
      <div className="row g3 wrap">
        <Select
          aria-label="Sender"
          aria-invalid={problem?.at('/sender_id') === undefined ? undefined : true}
          value={fields.sender_id ?? ''}
          onChange={({ target: { value } }) => change({ sender_id: value === '' ? null : (value as never) })}
          choices={[
            ['', 'Choose a sender'],
            ...senders.map(({ id, name, email }) => [id, `${name}, ${email}`] as const),
          ]}
        />
        {chosen !== undefined && (
          <span className="hint">
            {chosen.ready ? `replies to ${chosen.reply_to}` : `not ready: ${chosen.not_ready_reason ?? ''}`}
          </span>
        )}
        {asked.data !== undefined && senders.length === 0 && (
          <span className="hint">There is no sender yet. Owners and admins add one in the settings.</span>
        )}
      </div>
    </section>
  );
}
