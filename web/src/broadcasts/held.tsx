import { useState } from 'react';
import { count, people } from '../format/number.ts';
import { cityOf, weekdayMoment } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { ReleaseDialog } from './release-dialog.tsx';
import type { Broadcast } from './state-pill.tsx';

/** Why a broadcast did not begin at its time, and what can be done. */
export function Held({ broadcast }: { readonly broadcast: Broadcast }) {
  const { now, zone } = useNow();
  const [isAsked, setAsked] = useState(false);
  const whyNot = useWhyNot()('release_broadcast');
  const { held } = broadcast;
  if (held === null) return null;
  return (
    <div className="note warn held">
      <Icon name="warning" />
      <div className="grow col g3">
        <p>
          <b>It is held, and nobody has got it.</b> It was planned for {people(held.planned)}, and{' '}
          {count(held.counted)} were there {weekdayMoment(new Date(held.since), zone, now)} {cityOf(zone)},
          when it should have begun. Release it to send it after all, or pull it back.
        </p>
        <span>
          <Button kind="primary" unless={whyNot} onClick={() => setAsked(true)}>
            Release…
          </Button>
        </span>
      </div>
      {isAsked && <ReleaseDialog broadcast={broadcast} onClose={() => setAsked(false)} />}
    </div>
  );
}
