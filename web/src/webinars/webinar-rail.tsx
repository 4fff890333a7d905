import { useAsk } from '../call/use-call.ts';
import { count } from '../format/number.ts';
import { useNow } from '../frame/clock.tsx';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { PlatformEvent } from './platform-event.tsx';
import { PageSection } from './registration-page/page-section.tsx';
import type { Webinar } from './state.tsx';
import { zoneOf } from './when.ts';

export function WebinarRail({ webinar }: { readonly webinar: Webinar }) {
  const { zone } = useNow();
  const registered = useAsk('list_registrations', { webinar_id: webinar.id, limit: 1 });
  const attended = useAsk('list_registrations', { webinar_id: webinar.id, attended: true, limit: 1 });
  const workflow = useAsk(
    'get_workflow',
    { workflow_id: webinar.automation_id ?? '' },
    { enabled: webinar.automation_id !== null },
  );
  return (
    <aside className="rail" aria-label="About this webinar">
      <section>
        <h2 className="h2">Registrations</h2>
        <p className="fig xl">{registered.data === undefined ? '—' : count(registered.data.total)}</p>
        <p className="hint">
          {attended.data === undefined ? '—' : count(attended.data.total)} recorded as attended
        </p>
      </section>
      <PageSection webinar={webinar} />
      <PlatformEvent webinar={webinar} />
      <section>
        <h2 className="h2">Details</h2>
        <dl className="kv mt3">
          <dt>Length</dt>
          <dd>{webinar.duration_minutes === null ? '—' : `${count(webinar.duration_minutes)} minutes`}</dd>
          <dt>Zone</dt>
          <dd>{zoneOf(webinar, zone)}</dd>
          <dt>Join link</dt>
          <dd className="mono ellipsis" title={webinar.join_url ?? undefined}>
            {webinar.join_url || '—'}
          </dd>
          <dt>Platform</dt>
          <dd className="ellipsis">{webinar.provider || '—'}</dd>
          <dt>Workflow</dt>
          <dd className="ellipsis">{workflow.data?.workflow.name ?? '—'}</dd>
          <dt>Id</dt>
          <dd className="mono ellipsis" title={webinar.id}>
            {webinar.id}
          </dd>
        </dl>
      </section>
      <div className="row wrap g4">
        <CopyAsCall operation="get_webinar" input={{ webinar_id: webinar.id }} />
      </div>
    </aside>
  );
}
