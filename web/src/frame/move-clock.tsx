import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAct, useOrg } from '../call/use-call.ts';
import { cityOf, moment } from '../format/time.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Select } from '../ui/field.tsx';
import { useToast } from '../ui/toast.tsx';
import { useWhyNot } from './me.ts';

const steps = [
  ['900', '15 minutes'],
  ['3600', '1 hour'],
  ['21600', '6 hours'],
  ['86400', '1 day'],
  ['604800', '1 week'],
  ['2592000', '30 days'],
] as const;

interface MoveClockProps {
  readonly open: boolean;
  readonly now: Date;
  readonly zone: string;
  readonly onClose: () => void;
}

/** It cannot be taken back, so it says so before. */
export function MoveClock({ open, now, zone, onClose }: MoveClockProps) {
  const org = useOrg();
  const client = useQueryClient();
  const toast = useToast();
  const [seconds, setSeconds] = useState<string>('3600');
  const move = useAct('move_test_clock', []);
  const whyNot = useWhyNot()('move_test_clock');
  const then = new Date(now.getTime() + Number(seconds) * 1000);
  const submit = (): void =>
    move.mutate(
      { advance: Number(seconds) },
      {
        onSuccess: ({ test_clock, released }) => {
          onClose();
          void client.invalidateQueries({ queryKey: [org] }); // whatever waits for a time may have come
          const shown = moment(new Date(test_clock.now), zone, now);
          toast(`The clock shows ${shown}${released > 0 ? `, ${released} due began` : ''}`);
        },
      },
    );
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Move the test clock?"
      footer={
        <span className="row end">
          <Button kind="ghost" onClick={onClose}>
            Keep {moment(now, zone, now)}
          </Button>
          <Button kind="primary" unless={whyNot} busy={move.isPending && 'Moving'} onClick={submit}>
            Move the clock
          </Button>
        </span>
      }
    >
      <p className="muted">
        What waits for a time happens as if it had come: broadcasts begin, waits end. Nothing is really sent
        from a test organization. The clock goes forward only.
      </p>
      <div className="mt4">
        <Field
          label="Forward by"
          hint={`It would show ${moment(then, zone, now)} ${cityOf(zone)}.`}
          error={move.error?.message}
        >
          {(ids) => (
            <Select
              {...ids}
              value={seconds}
              choices={steps}
              onChange={(event) => setSeconds(event.target.value)}
            />
          )}
        </Field>
      </div>
      {whyNot !== undefined && <p className="hint mt2">{whyNot}</p>}
    </Dialog>
  );
}
