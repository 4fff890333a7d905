import { useEffect, useState } from 'react';
import type { Output } from '../../call/types.ts';
import { cityOf, clockTime } from '../../format/time.ts';
import { useNow } from '../../frame/clock.tsx';
import { Button } from '../../ui/button.tsx';

interface CountdownProps {
  readonly plan: Output<'plan_broadcast'>;
  readonly again: () => void;
  readonly isPlanning: boolean;
  readonly onOver: () => void;
}

const told = [10, 5, 1];
const around = 2 * Math.PI * 6;

/** How long the plan holds, by the service's clock from when it answered. */
export function Countdown({ plan, again, isPlanning, onOver }: CountdownProps) {
  const { zone } = useNow();
  const whole = Date.parse(plan.expires_at) - Date.parse(plan.now);
  const [ends] = useState(() => Date.now() + whole);
  const [left, setLeft] = useState(whole);
  const isOver = left <= 0;
  useEffect(() => {
    const ticking = setInterval(() => setLeft(Math.max(0, ends - Date.now())), 1_000);
    return () => clearInterval(ticking);
  }, [ends]);
  useEffect(() => {
    if (isOver) onOver();
  }, [isOver, onOver]);
  const minutes = Math.floor(left / 60_000);
  const seconds = Math.floor(left / 1_000) % 60;
  const announced = told.find((one) => minutes < one && minutes >= one - 1);
  return (
    <div className={left < 300_000 ? 'holds soon' : 'holds'}>
      <svg className="ring" viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="8" r="6" className="rest" />
        <circle cx="8" cy="8" r="6" strokeDasharray={around} strokeDashoffset={around * (1 - left / whole)} />
      </svg>
      <div className="grow">
        <p className="medium" role="timer">
          {isOver
            ? 'The plan no longer holds'
            : `Plan holds for ${String(minutes).padStart(2, '0')}:${String(seconds).padStart(2, '0')}`}
        </p>
        <p className="hint">
          until {clockTime(new Date(plan.expires_at), zone)} {cityOf(zone)}. Any change ends it.
        </p>
        <p className="vh" aria-live="polite">
          {announced !== undefined && `The plan holds for less than ${announced} minutes.`}
        </p>
      </div>
      <Button kind="ghost" size="s" icon="again" busy={isPlanning && 'Planning'} onClick={again}>
        Again
      </Button>
    </div>
  );
}
