import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAsk, useOrg } from '../call/use-call.ts';
import { people } from '../format/number.ts';
import { weekdayMoment } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { Select } from '../ui/field.tsx';
import { HoldField } from './hold-field.tsx';
import { Segmented } from './segmented.tsx';
import type { Draft, Fields } from './use-draft.ts';

interface AudienceBlockProps {
  readonly draft: Draft;
  readonly recipients: number | undefined;
}

const kinds = [
  ['everyone', 'Everyone'],
  ['segment', 'A segment'],
  ['webinar', 'A webinar'],
] as const;

/** Who gets it. A segment or a webinar counts once it is chosen; until then the former audience stays. */
export function AudienceBlock({ draft, recipients }: AudienceBlockProps) {
  const { fields, change, problem } = draft;
  const [kind, setKind] = useState<Fields['audience']>(fields.audience);
  return (
    <section className="blk" id="audience">
      <h2>Audience</h2>
      <div>
        <Segmented
          label="Audience"
          choices={kinds}
          value={kind ?? 'everyone'}
          onChange={(chosen) => {
            setKind(chosen);
            if (chosen === 'everyone') change({ audience: 'everyone' });
          }}
          unless={(choice) =>
            fields.channel === 'sms' &&
            choice !== 'webinar' &&
            'Texts go to the registrants of a webinar only.'
          }
        />
        {kind === 'segment' && <SegmentChoice draft={draft} recipients={recipients} />}
        {kind === 'webinar' && <WebinarChoice draft={draft} />}
        {kind === fields.audience && recipients !== undefined && kind !== 'segment' && (
          <p className="muted mt2">
            <b className="strong">{people(recipients)}</b> now
          </p>
        )}
        <HoldField draft={draft} />
        {problem?.at('/audience') !== undefined && <p className="err mt2">{problem.at('/audience')}</p>}
      </div>
    </section>
  );
}

function SegmentChoice({ draft: { fields, change, problem }, recipients }: AudienceBlockProps) {
  const org = useOrg();
  const asked = useAsk('list_segments', {});
  const chosen = fields.audience === 'segment' ? (fields.segment_id ?? '') : '';
  return (
    <div className="row g3 wrap mt3">
      <Select
        aria-label="Segment"
        aria-invalid={problem?.at('/segment_id') === undefined ? undefined : true}
        value={chosen}
        onChange={(event) =>
          event.target.value !== '' &&
          change({ audience: 'segment', segment_id: event.target.value as never })
        }
        choices={[
          ...(chosen === '' ? [['', 'Choose a segment'] as const] : []),
          ...(asked.data?.segments ?? []).map(({ id, name }) => [id, name] as const),
        ]}
      />
      {chosen !== '' && recipients !== undefined && (
        <span className="muted">
          <b className="strong">{people(recipients)}</b> now,{' '}
          <Link
            className="link"
            to="/o/$org/people"
            params={{ org }}
            search={{ segment_id: chosen as never }}
          >
            see them
          </Link>
        </span>
      )}
    </div>
  );
}

const parts = [
  ['registered', 'Everybody registered'],
  ['attended', 'Who attended'],
  ['no_show', 'Who did not come'],
] as const;

function WebinarChoice({ draft: { fields, change, turnTo } }: Pick<AudienceBlockProps, 'draft'>) {
  const asked = useAsk('list_webinars', { limit: 100 });
  const { now, zone } = useNow();
  const isChosen = fields.audience === 'webinar' && fields.webinar_id !== null;
  return (
    <div className="row g3 wrap mt3">
      <Select
        aria-label="Webinar"
        value={isChosen ? (fields.webinar_id ?? '') : ''}
        onChange={(event) =>
          event.target.value !== '' &&
          change({ audience: 'webinar', webinar_id: event.target.value as never })
        }
        choices={[
          ...(isChosen ? [] : [['', 'Choose a webinar'] as const]),
          ...(asked.data?.webinars ?? []).map(
            ({ id, title, start_time }) =>
              [id, `${title}, ${weekdayMoment(new Date(start_time), zone, now)}`] as const,
          ),
        ]}
      />
      {isChosen && (
        <>
          <Select
            aria-label="Which registrants"
            value={fields.webinar_audience ?? 'registered'}
            onChange={(event) => change({ webinar_audience: event.target.value as 'registered' })}
            choices={parts}
          />
          <Segmented
            label="Channel"
            choices={[
              ['email', 'Email'],
              ['sms', 'Text'],
            ]}
            value={fields.channel ?? 'email'}
            onChange={turnTo}
          />
        </>
      )}
    </div>
  );
}
