import { useAsk, useOrg } from '../call/use-call.ts';
import { Page } from '../frame/frame.tsx';
import { LockNote } from '../frame/lock-note.tsx';
import { Failed, Skeleton } from '../ui/blank.tsx';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { FixedFacts } from './fixed-facts.tsx';
import { SettingsForm } from './settings-form.tsx';
import './settings.css';

export function OrganizationPage() {
  const org = useOrg();
  const asked = useAsk('get_settings', {});
  return (
    <Page crumbs={[['Settings', `/o/${org}/settings`]]} title="Organization">
      <div className="page mid">
        <div className="head">
          <div>
            <h1>Organization</h1>
            <p className="sub">What holds for everybody and every message here.</p>
          </div>
        </div>
        <LockNote operation="update_settings" />
        {asked.error !== null ? (
          <Failed problem={asked.error} what="the settings" retry={() => void asked.refetch()} />
        ) : asked.data === undefined ? (
          <Skeleton rows={8} />
        ) : (
          <>
            <SettingsForm saved={asked.data.settings} />
            <FixedFacts limits={asked.data.settings.limits} />
          </>
        )}
        <div className="row g4 mt4 wrap">
          <CopyAsCall operation="get_settings" input={{}} />
        </div>
      </div>
    </Page>
  );
}
