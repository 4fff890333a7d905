import { useAsk, useOrg } from '../call/use-call.ts';
import { Page } from '../frame/frame.tsx';
import { Failed, Skeleton } from '../ui/blank.tsx';
import { LayoutEditor } from './layout-editor.tsx';
import './layout.css';
import './settings.css';

export function LayoutPage() {
  const org = useOrg();
  const asked = useAsk('get_email_layout', {});
  return (
    <Page crumbs={[['Settings', `/o/${org}/settings`]]} title="Email layout">
      {asked.error !== null ? (
        <Failed
          problem={asked.error}
          what="the email layout"
          heading="h1"
          retry={() => void asked.refetch()}
        />
      ) : asked.data === undefined ? (
        <Skeleton rows={8} heading="Email layout" />
      ) : (
        <LayoutEditor saved={asked.data.email_layout} />
      )}
    </Page>
  );
}
