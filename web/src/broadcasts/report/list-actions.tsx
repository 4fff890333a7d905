import { Link } from '@tanstack/react-router';
import { useOrg } from '../../call/use-call.ts';
import { useWhyNot } from '../../frame/me.ts';
import { Button } from '../../ui/button.tsx';
import { ExportButton } from '../../ui/export-button.tsx';
import type { Broadcast } from '../state-pill.tsx';
import { segmentOf, type Filters } from './lists.ts';

interface ListActionsProps {
  readonly broadcast: Broadcast;
  readonly filters: Filters;
}

/** The whole list as a file, and as a segment where one can say it. */
export function ListActions({ broadcast, filters }: ListActionsProps) {
  const org = useOrg();
  const whyNotDo = useWhyNot();
  const made = segmentOf(filters, broadcast);
  const whyNot = whyNotDo('create_segment') ?? ('whyNot' in made ? made.whyNot : undefined);
  return (
    <footer className="row wrap">
      <ExportButton
        size="s"
        path={`/v1/broadcasts/${broadcast.id}/recipients/export`}
        query={filters}
        file="recipients.csv"
        unless={whyNotDo('list_people')}
      >
        Export list
      </ExportButton>
      {'filters' in made && whyNot === undefined ? (
        <Link
          className="btn secondary s"
          to="/o/$org/segments/$segment"
          params={{ org, segment: 'new' }}
          search={{ filters: made.filters }}
        >
          Save as segment
        </Link>
      ) : (
        <Button size="s" unless={whyNot}>
          Save as segment
        </Button>
      )}
      <span className="hint">
        {'filters' in made
          ? 'The segment is whoever did so in any message since this one began: segments know no broadcast.'
          : made.whyNot}
      </span>
    </footer>
  );
}
