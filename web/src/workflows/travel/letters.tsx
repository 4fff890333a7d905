import { reasonWords } from '../../broadcasts/words.ts';
import { weekdayMoment } from '../../format/time.ts';
import { useNow } from '../../frame/clock.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { Letter } from './standing.ts';

interface LettersProps {
  readonly letters: readonly Letter[];
  readonly at: number;
}

/** What somebody would have received by a moment, what is to come, and what would not reach them. */
export function Letters({ letters, at }: LettersProps) {
  const { now, zone } = useNow();
  if (letters.length === 0) return <p className="muted">Nothing is sent on this way.</p>;
  return (
    <ol className="letters" aria-label="Messages">
      {letters.map((letter, place) => (
        // A way that goes round passes a message more than once, and two may go out at one moment.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={place} className={letter.at <= at ? 'by-then' : undefined}>
          <Icon name={letter.channel === 'sms' ? 'text' : 'mail'} small />
          <span className="ellipsis">
            {letter.subject ?? (letter.channel === 'sms' ? 'Text' : letter.node)}
          </span>
          <span className="hint">
            {weekdayMoment(new Date(letter.at), zone, now)}
            {letter.reason === undefined
              ? letter.at <= at
                ? ', received'
                : ', to come'
              : `, not sent: ${reasonWords('skipped', letter.reason, letter.channel)}`}
          </span>
        </li>
      ))}
    </ol>
  );
}
