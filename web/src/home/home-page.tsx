import { Link } from '@tanstack/react-router';
import { NewBroadcast } from '../broadcasts/new-broadcast.tsx';
import { useAsk, useOrg } from '../call/use-call.ts';
import { useNow } from '../frame/clock.tsx';
import { Page } from '../frame/frame.tsx';
import { useWhyNot } from '../frame/me.ts';
import { Failed, Skeleton } from '../ui/blank.tsx';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { FirstSteps, useHidden } from './first-steps.tsx';
import { GoingOut } from './going-out.tsx';
import { useGoings, type Goings } from './goings.ts';
import { ImportsUnderWay } from './imports-under-way.tsx';
import { LastSent } from './last-sent.tsx';
import { NextDays, withinDays } from './next-days.tsx';
import { useConcerns } from './concerns.ts';
import { WantsALook } from './wants-a-look.tsx';
import './home.css';

export function HomePage() {
  const org = useOrg();
  const { now, zone } = useNow();
  const goings = useGoings();
  const sent = useAsk('list_broadcasts', { status: 'sent', limit: 5 });
  const [isHidden, hide] = useHidden();
  const whyNot = useWhyNot()('create_webinar');
  const isNew =
    sent.data?.total === 0 && goings.isKnown && goings.sending.length === 0 && goings.scheduled.length === 0;
  const concerns = useConcerns(goings.held);
  const written = (parts: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...parts }).format(now);
  const today = `${written({ weekday: 'long' })}, ${written({ day: 'numeric', month: 'long' })}`;
  return (
    <Page crumbs={[]} title="Home">
      <div className="page mid">
        <div className="head">
          <div>
            <h1>{today}</h1>
            <p className="sub">
              {goings.isKnown
                ? `${summary(goings, now)}${looks(concerns.found?.length ?? 0)}`
                : 'Looking at what goes out.'}
            </p>
          </div>
          <div className="acts only-wide">
            {whyNot === undefined && (
              <Link className="btn secondary" to="/o/$org/webinars" params={{ org }} search={{ make: true }}>
                New webinar
              </Link>
            )}
            <NewBroadcast />
          </div>
        </div>
        {isNew && !isHidden && <FirstSteps onHide={hide} />}
        {goings.problem !== null ? (
          <Failed problem={goings.problem} what="what goes out" retry={goings.retry} />
        ) : goings.isKnown ? (
          <NextDays goings={goings} />
        ) : (
          <Skeleton rows={5} />
        )}
        <div className="hg mt4">
          <div className="col g4">
            <GoingOut goings={goings} />
            <LastSent />
          </div>
          <div className="col g4">
            <WantsALook concerns={concerns} />
            <ImportsUnderWay />
          </div>
        </div>
        <div className="row g4 mt4">
          <CopyAsCall operation="list_broadcasts" input={{ status: 'scheduled' }} />
        </div>
      </div>
    </Page>
  );
}

const looks = (concerns: number): string =>
  concerns === 0 ? '' : concerns === 1 ? ' 1 thing wants a look.' : ` ${concerns} things want a look.`;

function summary({ sending, scheduled, webinars }: Goings, now: Date): string {
  const sends = sending.length + scheduled.filter(({ timing }) => withinDays(timing.send_at, now, 7)).length;
  const held = webinars.filter(({ start_time }) => withinDays(start_time, now, 7)).length;
  const words = (amount: number, one: string): string => `${amount} ${one}${amount === 1 ? '' : 's'}`;
  return `${words(sends, 'send')} and ${words(held, 'webinar')} in the next 7 days.`;
}
