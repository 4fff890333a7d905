import { useAct } from '../call/use-call.ts';
import { clockTime } from '../format/time.ts';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useToast } from '../ui/toast.tsx';
import type { Hanging } from './hanging.ts';
import { longDay } from './when.ts';

interface StaysNoteProps {
  readonly broadcast: Hanging['broadcasts'][number];
  readonly zone: string;
}

/** A scheduled broadcast does not move with the webinar; it can be pulled back here. */
export function StaysNote({ broadcast: { id, subject, send_at }, zone }: StaysNoteProps) {
  const pull = useAct('unschedule_broadcast', ['preview_reschedule', 'list_broadcasts', 'get_broadcast']);
  const toast = useToast();
  const whyNot = useWhyNot()('unschedule_broadcast');
  return (
    <div className="note warn">
      <Icon name="warning" />
      <div className="grow">
        <b>A broadcast does not move.</b> “{subject ?? 'Text broadcast'}” stays
        {send_at !== null && ` at ${longDay(new Date(send_at), zone)}, ${clockTime(new Date(send_at), zone)}`}
        .{pull.error !== null && <span className="err">{pull.error.message}</span>}
      </div>
      <Button
        size="s"
        unless={whyNot}
        busy={pull.isPending && 'Pulling back'}
        onClick={() => pull.mutate({ broadcast_id: id }, { onSuccess: () => toast('It is a draft again') })}
      >
        Pull it back to a draft
      </Button>
    </div>
  );
}
