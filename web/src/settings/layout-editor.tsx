import { useState } from 'react';
import { useAct } from '../call/use-call.ts';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { useToast } from '../ui/toast.tsx';
import { ColorField } from './color-field.tsx';
import { draftOf, layoutOf, type Layout } from './layout-draft.ts';
import { LayoutPreview } from './layout-preview.tsx';
import { LockNote } from '../frame/lock-note.tsx';
import { LeaveGuard } from '../ui/leave-guard.tsx';
import { Refusal } from '../ui/refusal.tsx';

export function LayoutEditor({ saved }: { readonly saved: Layout }) {
  const [draft, setDraft] = useState(() => draftOf(saved));
  const update = useAct('update_email_layout', ['get_email_layout']);
  const whyNot = useWhyNot()('update_email_layout');
  const toast = useToast();
  const { error } = update;
  const isChanged = Object.entries(layoutOf(draft)).some(
    ([field, value]) => value !== saved[field as keyof Layout],
  );
  const save = (): void => {
    if (whyNot !== undefined) return;
    update.mutate(layoutOf(draft), {
      onSuccess: () =>
        toast('Saved. It stands around every email from now on.', () =>
          update.mutate(saved, { onSuccess: () => setDraft(draftOf(saved)) }),
        ),
    });
  };
  const bind = (field: keyof Layout) => ({
    readOnly: whyNot !== undefined,
    value: draft[field],
    onChange: ({ target: { value } }: { readonly target: { readonly value: string } }) =>
      setDraft({ ...draft, [field]: value }),
  });
  return (
    <div className="split layout">
      <form
        className="page"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <LeaveGuard isChanged={isChanged && whyNot === undefined && !update.isPending} />
        <div className="head">
          <div>
            <h1>Email layout</h1>
            <p className="sub">What stands around the body of every email.</p>
          </div>
          <div className="acts">
            <Button
              kind="primary"
              type="submit"
              unless={whyNot ?? (!isChanged && 'Nothing is changed.')}
              busy={update.isPending && 'Saving'}
            >
              Save
            </Button>
          </div>
        </div>
        <LockNote operation="update_email_layout" />
        <div className="col g4">
          <Refusal problem={error} fields={Object.keys(draft).map((field) => `/${field}`)} />
          {draft.postal_address.trim() === '' && (
            <p className="note warn">
              <Icon name="warning" />
              <span>Without a postal address no email can be scheduled.</span>
            </p>
          )}
          <Field label="Company" error={error?.at('/company_name')}>
            {(ids) => <Input {...ids} {...bind('company_name')} />}
          </Field>
          <Field
            label="Postal address"
            hint="Where the sender can be reached by post. The law asks for it."
            error={error?.at('/postal_address')}
          >
            {(ids) => <textarea {...ids} className="input area" rows={3} {...bind('postal_address')} />}
          </Field>
          <Field label="Footer" hint="Plain text; line breaks are kept." error={error?.at('/footer_text')}>
            {(ids) => <textarea {...ids} className="input area" rows={3} {...bind('footer_text')} />}
          </Field>
          <Field label="Logo" hint="Its address, with https." error={error?.at('/logo_url')}>
            {(ids) => <Input {...ids} type="url" {...bind('logo_url')} />}
          </Field>
          <Field
            label="Words for the logo"
            hint="They stand where pictures are off. Empty: the company."
            error={error?.at('/logo_alt')}
          >
            {(ids) => <Input {...ids} {...bind('logo_alt')} />}
          </Field>
          <ColorField
            label="Colour of links"
            hint="Dark enough to be read on white; in the dark it is lightened by itself."
            error={error?.at('/link_color')}
            {...bind('link_color')}
          />
          <ColorField
            label="Colour of buttons"
            hint="Empty: the colour of links."
            error={error?.at('/button_color')}
            {...bind('button_color')}
          />
        </div>
      </form>
      <LayoutPreview draft={draft} />
    </div>
  );
}
