import { useParams, useSearch } from '@tanstack/react-router';
import { useAsk, useOrg } from '../call/use-call.ts';
import { Page } from '../frame/frame.tsx';
import { Failed, Skeleton } from '../ui/blank.tsx';
import { SegmentEditor } from './segment-editor.tsx';
import './segments.css';

export function SegmentPage() {
  const { segment } = useParams({ from: '/o/$org/segments/$segment' });
  const { filters } = useSearch({ from: '/o/$org/segments/$segment' });
  const org = useOrg();
  const isNew = segment === 'new';
  const asked = useAsk('get_segment', { segment_id: segment }, { enabled: !isNew });
  const configs = useAsk('list_property_configs', {});
  const title = isNew ? 'A new segment' : (asked.data?.segment.name ?? 'Segment');
  const problem = asked.error ?? configs.error;
  return (
    <Page
      crumbs={[
        ['People', `/o/${org}/people`],
        ['Segments', `/o/${org}/segments`],
      ]}
      title={title}
    >
      {problem !== null ? (
        <Failed
          problem={problem}
          what="this segment"
          heading="h1"
          retry={() => void Promise.all([configs.refetch(), ...(isNew ? [] : [asked.refetch()])])}
        />
      ) : configs.data === undefined || (!isNew && asked.data === undefined) ? (
        <>
          <h1 className="vh">{title}</h1>
          <Skeleton rows={8} />
        </>
      ) : (
        <SegmentEditor
          key={segment}
          saved={asked.data?.segment}
          begun={filters}
          properties={configs.data.property_configs}
        />
      )}
    </Page>
  );
}
