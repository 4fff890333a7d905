import { useState } from 'react';
import { useAct } from '../call/use-call.ts';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Field, Input } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { useToast } from '../ui/toast.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import type { Sms } from './sender-records.ts';

/** The one number that texts come from. */
export function SmsRow({ sms }: { readonly sms: Sms }) {
  const [isChanging, setChanging] = useState(false);
  const whyNot = useWhyNot()('set_sms_number');
  return (
    <>
      <tr>
        <td className="first">
          <div className="medium">Text messages</div>
          <div className="hint">{sms.number ?? 'no number yet'}</div>
        </td>
        <td className="muted" data-label="Replies go to">
          {sms.number === null ? '—' : 'read here'}
        </td>
        <td className="muted only-wide">—</td>
        <td>
          {sms.available ? (
            <span className="pill ready">
              <Icon name="tick" />
              Ready
            </span>
          ) : sms.number === null ? (
            <span className="pill pending">
              <Icon name="minus" />
              No number
            </span>
          ) : (
            <span className="pill warn">
              <Icon name="warning" />
              Not proven
            </span>
          )}
        </td>
        <td className="last num">
          <Button
            kind="ghost"
            size="s"
            unless={whyNot}
            aria-label={sms.number === null ? 'Set the number for texts' : 'Change the number for texts'}
            onClick={() => setChanging(true)}
          >
            {sms.number === null ? 'Set' : 'Change'}
          </Button>
          <SmsForm
            key={String(isChanging)}
            open={isChanging}
            number={sms.number}
            onClose={() => setChanging(false)}
          />
        </td>
      </tr>
      {sms.proof !== null && (
        <tr>
          <td className="first last" colSpan={5}>
            <div className="row wrap">
              <Icon name="info" />
              <span>
                To prove that {sms.number} is yours, send it this text from any phone:{' '}
                <code className="mono">{sms.proof}</code>
              </span>
              <CopyButton text={sms.proof} what="the proof" />
            </div>
          </td>
        </tr>
      )}
    </>
  );
}

interface SmsFormProps {
  readonly open: boolean;
  readonly number: string | null;
  readonly onClose: () => void;
}

function SmsForm({ open, number, onClose }: SmsFormProps) {
  const [typed, setTyped] = useState(number ?? '');
  const set = useAct('set_sms_number', ['list_senders']);
  const toast = useToast();
  const submit = (): void => {
    const next = typed.trim() === '' ? null : typed;
    set.mutate(
      { number: next },
      {
        onSuccess: () => {
          onClose();
          toast(next === null ? 'Texts have no number any more' : 'Saved', () => set.mutate({ number }));
        },
      },
    );
  };
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title="Set the number for texts"
      verb="Set"
      busy={set.isPending && 'Setting'}
      problem={set.error}
      fields={['/number']}
      onSubmit={submit}
    >
      <Field
        label="Number"
        hint="With + and the country, as in +15550001111. Empty takes it away. Another number has to be proven anew."
        error={set.error?.at('/number')}
      >
        {(ids) => (
          <Input {...ids} type="tel" value={typed} onChange={(event) => setTyped(event.target.value)} />
        )}
      </Field>
    </FormDialog>
  );
}
