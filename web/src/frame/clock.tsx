import { useEffect, useMemo, useState } from 'react';
import { useAsk } from '../call/use-call.ts';
import { cityOf, clockTime, day } from '../format/time.ts';
import { useMe } from './me.ts';
import { MoveClock } from './move-clock.tsx';

/** The organization's moment and zone: a test organization's clock may have been moved. */
export function useNow(): { now: Date; zone: string; isAhead: boolean } {
  const { organization } = useMe();
  const settings = useAsk('get_settings', {});
  const moved = useAsk('get_test_clock', {}, { enabled: organization.mode === 'test' });
  const [shown, setShown] = useState(() => Date.now());
  useEffect(() => {
    const ticking = setInterval(() => setShown(Date.now()), 15_000);
    return () => clearInterval(ticking);
  }, []);
  const offset = moved.data === undefined ? 0 : Date.parse(moved.data.test_clock.now) - moved.dataUpdatedAt;
  const zone = settings.data?.settings.timezone ?? 'UTC';
  return useMemo(
    () => ({ now: new Date(shown + offset), zone, isAhead: offset > 60_000 }),
    [shown, offset, zone],
  );
}

/** In a test organization a button: its clock can be moved. */
export function Clock() {
  const { organization } = useMe();
  const { now, zone, isAhead } = useNow();
  const [isMoving, setMoving] = useState(false);
  const shown = (
    <>
      <time dateTime={now.toISOString()}>{clockTime(now, zone)}</time> <span>{cityOf(zone)}</span>
    </>
  );
  if (organization.mode !== 'test') return <span className="clock">{shown}</span>;
  return (
    <>
      <button
        type="button"
        className="clock moves"
        title="Move the test clock"
        onClick={() => setMoving(true)}
      >
        {isAhead && <span className="ahead">{day(now, zone, now)}</span>}
        {shown}
        <span className="vh">, move the test clock</span>
      </button>
      <MoveClock open={isMoving} now={now} zone={zone} onClose={() => setMoving(false)} />
    </>
  );
}
