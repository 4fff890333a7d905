import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct, useOrg } from '../call/use-call.ts';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { nameOf } from './name.ts';
import type { PersonRecord } from './record.ts';

/** It cannot be taken back, so it says so before, and a refusal is shown in the service's words. */
export function DeletePerson({ person }: { readonly person: PersonRecord }) {
  const [isAsked, setAsked] = useState(false);
  const [reason, setReason] = useState('');
  const org = useOrg();
  const navigate = useNavigate();
  const whyNot = useWhyNot()('delete_person');
  const remove = useAct('delete_person', ['list_people', 'search_people']);
  const name = nameOf(person);
  return (
    <>
      <Button kind="danger-ghost" size="s" icon="trash" unless={whyNot} onClick={() => setAsked(true)}>
        Delete this person
      </Button>
      <Dialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title={`Delete ${name}?`}
        footer={
          <span className="row end">
            <Button kind="ghost" onClick={() => setAsked(false)}>
              Keep {name}
            </Button>
            <Button
              kind="danger"
              busy={remove.isPending && 'Deleting'}
              onClick={() =>
                remove.mutate(
                  { person_id: person.id, ...(reason !== '' && { reason }) },
                  { onSuccess: () => void navigate({ to: '/o/$org/people', params: { org } }) },
                )
              }
            >
              Delete
            </Button>
          </span>
        }
      >
        <p className="muted">
          The profile, identifiers, properties, history and workflow runs go for good. Counts of what was sent
          stay. It cannot be undone.
        </p>
        <div className="mt4">
          <Field
            label="Reason"
            hint="Kept with the deletion. Leave names and addresses out."
            error={remove.error?.at('/reason')}
          >
            {(ids) => (
              <Input
                {...ids}
                maxLength={200}
                value={reason}
                onChange={(event) => setReason(event.target.value)}
              />
            )}
          </Field>
        </div>
        {remove.error !== null && (
          <p className="note bad mt4" role="alert">
            <Icon name="bad" />
            <span>{remove.error.message}</span>
          </p>
        )}
      </Dialog>
    </>
  );
}
