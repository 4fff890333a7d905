import { Link } from '@tanstack/react-router';
import { titleOf } from '../broadcasts/words.ts';
import { useAsk, useOrg } from '../call/use-call.ts';
import { count, people } from '../format/number.ts';
import { Skeleton } from '../ui/blank.tsx';
import { Icon } from '../ui/icon.tsx';
import type { Goings } from './goings.ts';

interface Concern {
  readonly key: string;
  readonly title: string;
  readonly told: string;
  readonly to: string;
  readonly verb: string;
}

/** What stops something from going out, or stopped it. Held broadcasts come first: their time is now. */
export function WantsALook({ held }: Pick<Goings, 'held'>) {
  const org = useOrg();
  const domains = useAsk('list_sending_domains', { limit: 50 });
  const failed = useAsk('list_broadcasts', { status: 'error', limit: 5 });
  const problem = domains.error ?? failed.error;
  const concerns: Concern[] = [
    ...held.map((broadcast) => ({
      key: broadcast.id,
      title: `“${titleOf(broadcast)}” is held`,
      told: `Planned for ${people(broadcast.held?.planned ?? 0)}; ${count(broadcast.held?.counted ?? 0)} were there when it should have begun`,
      to: `/o/${org}/broadcasts/${broadcast.id}`,
      verb: 'Decide',
    })),
    ...(domains.data?.sending_domains ?? [])
      .filter(({ verified }) => !verified)
      .map(({ id, domain, records }) => ({
        key: id,
        title: `${domain} is not verified`,
        told: records
          .filter(({ status }) => status !== 'found')
          .map(({ purpose, status }) => `${purpose} ${status}`)
          .join(', '),
        to: `/o/${org}/settings/senders`,
        verb: 'Fix',
      })),
    ...(failed.data?.broadcasts ?? []).map((broadcast) => ({
      key: broadcast.id,
      title: `“${titleOf(broadcast)}” did not go out`,
      told: broadcast.error ?? '',
      to: `/o/${org}/broadcasts/${broadcast.id}`,
      verb: 'Open',
    })),
  ];
  return (
    <section className="card">
      <header>
        <h2>Wants a look</h2>
      </header>
      {problem !== null ? (
        <p className="body err">{problem.message}</p>
      ) : domains.data === undefined || failed.data === undefined ? (
        <Skeleton rows={2} />
      ) : concerns.length === 0 ? (
        <p className="body muted">Nothing does.</p>
      ) : (
        <ul className="list">
          {concerns.map(({ key, title, told, to, verb }) => (
            <li key={key} className="top ck warn">
              <Icon name="warning" />
              <span className="grow">
                <b className="medium">{title}</b>
                <br />
                <span className="hint">{told}</span>
              </span>
              <Link className="link" to={to} aria-label={`${verb}: ${title}`}>
                {verb}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
