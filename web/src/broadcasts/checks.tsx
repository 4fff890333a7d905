import { Link } from '@tanstack/react-router';
import { useOrg } from '../call/use-call.ts';
import type { Output } from '../call/types.ts';
import { Icon } from '../ui/icon.tsx';

type Check = Output<'plan_broadcast'>['checks'][number];

/** Where on the page of a broadcast each is mended, by what, and in whose words if the service's are for programs. */
const fixes: Readonly<Record<string, readonly [hash: string, verb: string, words?: string]>> = {
  send_at_required: ['time', 'Choose a time', 'It has no time yet.'],
  send_at_too_soon: ['time', 'Choose a later time'],
  send_at_too_far: ['time', 'Choose an earlier time'],
  sms_quiet_hours: ['time', 'Choose another time'],
  webinar_end_unknown: [
    'time',
    'Count from its start',
    'It is timed by the end of the webinar, which has no length yet.',
  ],
  body_missing: ['content-of-it', 'Write it', 'There is nothing to send yet.'],
  subject_missing: ['content-of-it', 'Write it'],
  variable_missing: ['content-of-it', 'Choose another'],
  variable_unresolvable: ['content-of-it', 'Add a fallback'],
  links_without_https: ['content-of-it', 'See the links'],
  gmail_clipping: ['content-of-it', 'Shorten it'],
  sms_long: ['content-of-it', 'Shorten it'],
  sms_no_stop: ['content-of-it', 'Add the line'],
  sender_missing: ['sender', 'Choose a sender', 'It has no sender yet.'],
  sender_domain_unverified: ['sender', 'Choose another'],
  everyone: ['audience', 'Choose a segment'],
  no_recipients_yet: ['audience', 'Choose others'],
  segment_invalid: ['audience', 'Choose a segment'],
  webinar_canceled: ['audience', 'Choose another'],
};

interface ChecksProps {
  readonly id: string;
  readonly at: string | undefined;
  readonly checks: readonly Check[];
}

/** What blocks, then what to know, each with the way out. */
export function Checks({ id, at, checks }: ChecksProps) {
  const org = useOrg();
  return (
    <ul className="checks">
      {checks.map(({ level, code, message }) => {
        const fix = fixes[code];
        return (
          <li key={`${code}${message}`} className={level === 'error' ? 'ck error' : 'ck warn'}>
            <Icon name={level === 'error' ? 'bad' : 'warning'} />
            <span>
              <span className="vh">{level === 'error' ? 'Blocks: ' : 'To know: '}</span>
              {fix?.[2] ?? message}
            </span>
            {fix !== undefined && (
              <Link
                className="link"
                to="/o/$org/broadcasts/$broadcast"
                params={{ org, broadcast: id }}
                search={at === undefined ? {} : { at }}
                hash={fix[0]}
              >
                {fix[1]}
              </Link>
            )}
          </li>
        );
      })}
      {!checks.some(({ level }) => level === 'error') && (
        <li className="ck pass">
          <Icon name="good" />
          <span>Nothing blocks: it can be scheduled.</span>
        </li>
      )}
    </ul>
  );
}
