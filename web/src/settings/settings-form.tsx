import { useState } from 'react';
import { useAct } from '../call/use-call.ts';
import type { Input as InputOf, Output } from '../call/types.ts';
import { useMe, useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox, Field, Input } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { LeaveGuard } from '../ui/leave-guard.tsx';
import { Refusal } from '../ui/refusal.tsx';
import { useToast } from '../ui/toast.tsx';

type Settings = Output<'get_settings'>['settings'];
type Changes = InputOf<'update_settings'>;

const zones = Intl.supportedValuesOf('timeZone');
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const monthsOf = ({ history_months }: Settings): string =>
  history_months === null ? '' : String(history_months);

const percentOf = ({ hold_if_audience_changes_by: percent }: Settings): string =>
  percent === null ? '' : String(percent);

export function SettingsForm({ saved }: { readonly saved: Settings }) {
  const { mode } = useMe().organization;
  const [name, setName] = useState(saved.name);
  const [timezone, setTimezone] = useState(saved.timezone);
  const [isTwoKey, setTwoKey] = useState(saved.two_key_sending);
  const [percent, setPercent] = useState(percentOf(saved));
  const [country, setCountry] = useState(saved.default_country ?? '');
  const [recipients, setRecipients] = useState(saved.test_recipients.join('\n'));
  const [months, setMonths] = useState(monthsOf(saved));
  const update = useAct('update_settings', ['get_settings', 'get_me']);
  const whyNot = useWhyNot()('update_settings');
  const toast = useToast();
  const { error } = update;
  const readOnly = whyNot !== undefined;

  const hold_if_audience_changes_by = percent.trim() === '' ? null : Number(percent);
  const default_country = country.trim() === '' ? null : country.trim().toUpperCase();
  const history_months = months.trim() === '' ? null : Number(months);
  const test_recipients = linesOf(recipients);
  const changes: Changes = {
    ...(name.trim() !== saved.name && { name }),
    ...(timezone !== saved.timezone && { timezone }),
    ...(isTwoKey !== saved.two_key_sending && { two_key_sending: isTwoKey }),
    ...(hold_if_audience_changes_by !== saved.hold_if_audience_changes_by && { hold_if_audience_changes_by }),
    ...(default_country !== saved.default_country && { default_country }),
    ...(test_recipients.join('\n') !== saved.test_recipients.join('\n') && { test_recipients }),
    ...(history_months !== saved.history_months && { history_months }),
  };
  const isShorter =
    history_months !== null && (saved.history_months === null || history_months < saved.history_months);
  const former = Object.fromEntries(
    Object.keys(changes).map((field) => [field, saved[field as keyof Settings]]),
  ) as Changes;
  const show = (settings: Settings): void => {
    setName(settings.name);
    setTimezone(settings.timezone);
    setTwoKey(settings.two_key_sending);
    setPercent(percentOf(settings));
    setCountry(settings.default_country ?? '');
    setRecipients(settings.test_recipients.join('\n'));
    setMonths(monthsOf(settings));
  };
  const save = (): void => {
    if (readOnly || update.isPending || Object.keys(changes).length === 0) return;
    // What a shorter history deletes is gone, so that is no promise to make.
    const undo = (): void => update.mutate(former, { onSuccess: ({ settings }) => show(settings) });
    update.mutate(changes, {
      onSuccess: ({ settings }) => {
        show(settings);
        toast('Saved', isShorter ? undefined : undo);
      },
    });
  };
  return (
    <form
      className="card"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <LeaveGuard isChanged={!readOnly && Object.keys(changes).length > 0 && !update.isPending} />
      <div className="body col g4 narrow">
        <Field
          label="Name"
          hint="What members know the organization by. No message carries it."
          error={error?.at('/name')}
        >
          {(ids) => (
            <Input
              {...ids}
              maxLength={200}
              readOnly={readOnly}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Time zone"
          hint="Dates in messages are written in it, and days begin by it."
          error={error?.at('/timezone')}
        >
          {(ids) => (
            <Input
              {...ids}
              list="zones"
              readOnly={readOnly}
              value={timezone}
              onChange={(event) => setTimezone(event.target.value)}
            />
          )}
        </Field>
        <datalist id="zones">
          {zones.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        <div className="field">
          <Checkbox
            checked={isTwoKey}
            disabled={readOnly}
            onChange={(event) => setTwoKey(event.target.checked)}
            label={<span className="label">Sending takes two</span>}
          />
          <p className="hint">
            A broadcast must be scheduled by another key or member than planned it. Nobody sends to everybody
            alone.
          </p>
        </div>
        <Field
          label="Hold a broadcast if its audience changes by more than (%)"
          hint="What new broadcasts begin with; each can have its own. Empty: they go out however many are there then."
          error={error?.at('/hold_if_audience_changes_by')}
        >
          {(ids) => (
            <Input
              {...ids}
              inputMode="numeric"
              readOnly={readOnly}
              value={percent}
              onChange={(event) => setPercent(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Country of phone numbers"
          hint="Two letters, such as FR, for numbers that do not begin with +. Empty: those are not understood."
          error={error?.at('/default_country')}
        >
          {(ids) => (
            <Input
              {...ids}
              readOnly={readOnly}
              value={country}
              onChange={(event) => setCountry(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Test recipients"
          hint={
            mode === 'test'
              ? 'Whom messages of this test organization really reach, one a line: addresses, @domain for all of one, or phone numbers.'
              : 'This is a live organization: its messages go to everybody they are for.'
          }
          error={error?.at('/test_recipients')}
        >
          {(ids) => (
            <textarea
              {...ids}
              className="input area"
              rows={3}
              readOnly={readOnly || mode !== 'test'}
              value={recipients}
              onChange={(event) => setRecipients(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Months of history"
          hint="Whole months of messages and events that are kept beside this one. Empty: as long as the installation keeps them."
          error={error?.at('/history_months')}
        >
          {(ids) => (
            <Input
              {...ids}
              inputMode="numeric"
              readOnly={readOnly}
              value={months}
              onChange={(event) => setMonths(event.target.value)}
            />
          )}
        </Field>
        {isShorter && (
          <p className="note warn">
            <Icon name="warning" />
            <span>
              Older opens, clicks, messages and events are deleted for good. Totals and opt-outs stay.
            </span>
          </p>
        )}
        <Refusal
          problem={error}
          fields={[
            '/name',
            '/timezone',
            '/hold_if_audience_changes_by',
            '/default_country',
            '/test_recipients',
            '/history_months',
          ]}
        />
      </div>
      <footer>
        <span className="end">
          <Button
            kind={isShorter ? 'danger' : 'primary'}
            type="submit"
            unless={whyNot ?? (Object.keys(changes).length === 0 && 'Nothing is changed.')}
            busy={update.isPending && 'Saving'}
          >
            {isShorter ? 'Save and delete older history' : 'Save'}
          </Button>
        </span>
      </footer>
    </form>
  );
}
