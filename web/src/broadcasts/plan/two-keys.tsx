import roles from 'virtual:roles';
import { useAsk } from '../../call/use-call.ts';
import type { Output } from '../../call/types.ts';
import { useMe, useWhyNot } from '../../frame/me.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useToast } from '../../ui/toast.tsx';

interface TwoKeysProps {
  readonly plan: Output<'plan_broadcast'>;
  readonly handed: string;
  readonly onHanded: (token: string) => void;
}

const maySchedule = roles
  .filter(({ permissions }) => permissions.includes('broadcasts.schedule'))
  .map(({ role }) => role);

/** Whoever planned may not schedule: the plan goes from hand to hand. */
export function TwoKeys({ plan, handed, onHanded }: TwoKeysProps) {
  const toast = useToast();
  const me = useMe();
  const mayAsk = useWhyNot()('list_members') === undefined;
  const asked = useAsk('list_members', { limit: 200 }, { enabled: mayAsk });
  const others = (asked.data?.members ?? []).filter(
    ({ email, role }) => email !== me.user?.email && maySchedule.includes(role),
  );
  return (
    <div className="note info">
      <Icon name="key" />
      <div className="grow col g3">
        <p>
          <b>Two keys.</b> You planned this at this moment, so another member schedules it
          {others.length > 0 && `: ${others.map(({ email }) => email).join(', ')}`}.
        </p>
        {plan.plan_token !== undefined && (
          <Button
            size="s"
            icon="copy"
            onClick={() =>
              void navigator.clipboard
                .writeText(plan.plan_token ?? '')
                .then(() => toast('The plan is copied. Hand it to whoever schedules'))
            }
          >
            Copy the plan
          </Button>
        )}
        <Field label="Or schedule what somebody else planned" hint="Paste the plan they handed you.">
          {(ids) => (
            <Input {...ids} size="s" value={handed} onChange={(event) => onHanded(event.target.value)} />
          )}
        </Field>
      </div>
    </div>
  );
}
