import { clockTime, day } from '../../format/time.ts';
import { useNow } from '../../frame/clock.tsx';
import { standingAt } from './standing.ts';
import type { Travelled } from './use-told.ts';

interface HereProps {
  readonly node: string;
  readonly at: number;
  readonly travelled: readonly Travelled[];
}

/** Who would stand at a node, and until when. */
export function Here({ node, at, travelled }: HereProps) {
  const { now, zone } = useNow();
  const here = travelled.flatMap(({ traveller, told, startAt }) => {
    const standing = standingAt(told, startAt, at);
    return standing.is === 'waiting' && standing.node === node ? [{ traveller, until: standing.until }] : [];
  });
  if (here.length === 0) return null;
  return (
    <div className="heres">
      {here.map(({ traveller: { id, name, initials }, until }) => (
        <div key={id} className="here">
          <span className="avatar" aria-hidden="true">
            {initials}
          </span>
          <span className="col g0">
            <span className="medium">{name}</span>
            <span className="hint">
              until {day(new Date(until), zone, now)}, {clockTime(new Date(until), zone)}
            </span>
          </span>
        </div>
      ))}
    </div>
  );
}
