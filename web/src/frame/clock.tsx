import { useEffect, useState } from 'react';
import { useAsk } from '../call/use-call.ts';
import { cityOf, clockTime } from '../format/time.ts';
import { useMe } from './me.ts';

/** The organization's moment and zone: a test organization's clock may have been moved. */
export function useNow(): { now: Date; zone: string } {
  const { organization } = useMe();
  const settings = useAsk('get_settings', {});
  const moved = useAsk('get_test_clock', {}, { enabled: organization.mode === 'test' });
  const [shown, setShown] = useState(() => Date.now());
  useEffect(() => {
    const ticking = setInterval(() => setShown(Date.now()), 15_000);
    return () => clearInterval(ticking);
  }, []);
  const offset = moved.data === undefined ? 0 : Date.parse(moved.data.test_clock.now) - moved.dataUpdatedAt;
  return { now: new Date(shown + offset), zone: settings.data?.settings.timezone ?? 'UTC' };
}

export function Clock() {
  const { now, zone } = useNow();
  return (
    <span className="clock">
      <time dateTime={now.toISOString()}>{clockTime(now, zone)}</time> <span>{cityOf(zone)}</span>
    </span>
  );
}
