import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { moment } from '../../format/time.ts';
import { useNow } from '../../frame/clock.tsx';
import { momentAtShare, movedBy, shareOf, withRoom, type Mark, type Span } from './rule.ts';

interface TimeRuleProps {
  readonly span: Span;
  readonly marks: readonly Mark[];
  readonly at: number;
  /** The whole moment in words, and where somebody stands then. */
  readonly said: string;
  readonly shown: string;
  readonly onMove: (at: number) => void;
}

const room = 0.14; // of the rule's width: about what two short lines take

/** Time, drawn to scale, with a handle for the moment that is looked at. */
export function TimeRule({ span, marks, at, said, shown, onMove }: TimeRuleProps) {
  const { now, zone } = useNow();
  const track = useRef<HTMLDivElement>(null);
  const follow = (event: PointerEvent): void => {
    const { left, width } = track.current!.getBoundingClientRect();
    onMove(momentAtShare(span, (event.clientX - left) / width));
  };
  const share = shareOf(span, at);
  const place = (of: number) => ({ left: `${100 * shareOf(span, of)}%` });
  return (
    <div
      className="rule-area"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        follow(event);
      }}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && follow(event)}
    >
      <div className="trk" ref={track}>
        <i className="fill" style={{ width: `${100 * share}%` }} />
        {withRoom(marks, span, room).map((mark) => (
          <i
            key={`${mark.at} ${mark.label}`}
            className={mark.at <= at ? 'st on' : 'st'}
            style={place(mark.at)}
          >
            {mark.isTold && (
              <span className={edgeOf(shareOf(span, mark.at))}>
                {mark.label}
                <em>{moment(new Date(mark.at), zone, now)}</em>
              </span>
            )}
          </i>
        ))}
        {now.getTime() > span.from && now.getTime() < span.to && (
          <i className="now" style={place(now.getTime())} title="Now" />
        )}
        <div
          className="knob"
          role="slider"
          tabIndex={0}
          aria-label="Time"
          aria-valuemin={Math.round(span.from / 60_000)}
          aria-valuemax={Math.round(span.to / 60_000)}
          aria-valuenow={Math.round(at / 60_000)}
          aria-valuetext={said}
          style={{ left: `${100 * share}%` }}
          onKeyDown={(event: KeyboardEvent) => {
            const to = movedBy(
              span,
              marks.map((mark) => mark.at),
              at,
              event,
            );
            if (to === undefined) return;
            event.preventDefault();
            onMove(to);
          }}
        >
          <span className={edgeOf(share)}>{shown}</span>
        </div>
      </div>
    </div>
  );
}

/** Words near an end of the rule lean inwards. */
const edgeOf = (share: number): string | undefined =>
  share < 0.12 ? 'left' : share > 0.88 ? 'right' : undefined;
