import { useState } from 'react';
import { useAct } from '../call/use-call.ts';
import { count } from '../format/number.ts';
import { clockTime } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { useWhyNot } from '../frame/me.ts';
import { Skeleton } from '../ui/blank.tsx';
import { Button } from '../ui/button.tsx';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { useToast } from '../ui/toast.tsx';
import { offsetWords, useHanging, type Hanging } from './hanging.ts';
import { MomentFields, readMoment, write } from './moment-fields.tsx';
import type { Webinar } from './state.tsx';
import { StaysNote } from './stays-note.tsx';
import { longDay, startOf, zoneOf } from './when.ts';

interface AboutWebinar {
  readonly webinar: Webinar;
  readonly open: boolean;
  readonly onClose: () => void;
}

const shortMoment = (at: string, zone: string): string =>
  `${longDay(new Date(at), zone).slice(0, -5)}, ${clockTime(new Date(at), zone)}`;

/** What would move is shown before it moves. */
export function Reschedule({ webinar, open, onClose }: AboutWebinar) {
  const { now, zone: orgZone } = useNow();
  const zone = zoneOf(webinar, orgZone);
  const [written, setWritten] = useState<ReturnType<typeof write>>();
  const value = written ?? write(startOf(webinar), zone);
  const start = readMoment(value)?.toISOString();
  const hanging = useHanging(webinar, open && start !== undefined, start);
  const move = useAct('reschedule_webinar', ['get_webinar', 'list_webinars', 'preview_reschedule']);
  const toast = useToast();
  const isSame = start === undefined || Date.parse(start) === startOf(webinar).getTime();
  const whyNot = useWhyNot()('reschedule_webinar') ?? (isSame ? 'Choose another time.' : undefined);
  const moving = hanging.data?.recomputed ?? 0;
  return (
    <Dialog
      isWide
      open={open}
      onClose={onClose}
      title="Reschedule: what would move"
      footer={
        <>
          {start !== undefined && (
            <CopyAsCall
              operation="reschedule_webinar"
              input={{ webinar_id: webinar.id, start_time: start }}
            />
          )}
          <span className="row end">
            <Button kind="ghost" onClick={onClose}>
              Keep {longDay(startOf(webinar), zone).slice(4, -5)}
            </Button>
            <Button
              kind="primary"
              unless={whyNot}
              busy={move.isPending && 'Moving'}
              onClick={() =>
                move.mutate(
                  { webinar_id: webinar.id, start_time: start! },
                  {
                    onSuccess: ({ recomputed }) => {
                      toast(`Moved, with ${count(recomputed)} reminders`);
                      onClose();
                    },
                  },
                )
              }
            >
              {moving === 0
                ? 'Move webinar'
                : `Move webinar and ${count(moving)} ${moving === 1 ? 'reminder' : 'reminders'}`}
            </Button>
          </span>
        </>
      }
    >
      <div className="col g4">
        <p className="muted">Nothing has moved yet. Registrants keep their places and their join links.</p>
        <MomentFields
          value={value}
          onChange={setWritten}
          labels={['New day', 'Start']}
          error={hanging.error?.at('/start_time') ?? move.error?.at('/start_time')}
        />
        {start !== undefined && Date.parse(start) < now.getTime() && (
          <p className="note warn">
            <Icon name="warning" />
            This time has passed.
          </p>
        )}
        {hanging.data === undefined ? (
          hanging.error === null && start !== undefined && <Skeleton rows={3} />
        ) : (
          <Moves hanging={hanging.data} zone={value.zone} isOld={hanging.isPlaceholderData} />
        )}
        {hanging.data?.broadcasts.map((broadcast) => (
          <StaysNote key={broadcast.id} broadcast={broadcast} zone={zone} />
        ))}
        <p className="note">
          <Icon name="info" />
          Nobody is told of the new time by itself.
        </p>
        {[hanging.error, move.error].map(
          (problem) =>
            problem !== null &&
            problem.at('/start_time') === undefined && (
              <p key={problem.message} className="err" role="alert">
                {problem.message}
              </p>
            ),
        )}
      </div>
    </Dialog>
  );
}

interface MovesProps {
  readonly hanging: Hanging;
  readonly zone: string;
  readonly isOld: boolean;
}

function Moves({ hanging: { waits, groups_left_out }, zone, isOld }: MovesProps) {
  if (waits.length === 0) return <p className="muted">No reminder waits for it now.</p>;
  return (
    <div className="scrolls">
      <table className="tbl tight small" aria-busy={isOld}>
        <thead>
          <tr>
            <th>Reminder</th>
            <th>From</th>
            <th>To</th>
            <th className="num">People</th>
          </tr>
        </thead>
        <tbody>
          {waits.map((wait) => (
            <tr key={`${wait.workflow_id} ${wait.version} ${wait.node}`}>
              <td>
                <span className="medium">{offsetWords(wait)}</span>{' '}
                <span className="hint">{wait.workflow_name}</span>
              </td>
              <td className="muted">{shortMoment(wait.from, zone)}</td>
              <td>
                {shortMoment(wait.to, zone)}{' '}
                {wait.if_past !== null && (
                  <span className="pill warn">
                    <Icon name="warning" />
                    past: {wait.if_past === 'released' ? 'sent at once' : 'skipped'}
                  </span>
                )}
              </td>
              <td className="num">{count(wait.count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {groups_left_out > 0 && <p className="hint">And {count(groups_left_out)} more moments.</p>}
    </div>
  );
}
