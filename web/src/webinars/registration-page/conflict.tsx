import { Link } from '@tanstack/react-router';
import { useOrg } from '../../call/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { SavePage } from './use-save-page.ts';

/** Of two who edited at once, the second is asked. */
export function Conflict({ saving, webinar }: { readonly saving: SavePage; readonly webinar: string }) {
  const org = useOrg();
  if (!saving.isConflict) return null;
  return (
    <div className="note warn" role="alert">
      <Icon name="warning" />
      <div className="grow">
        <b>Somebody else changed this page meanwhile.</b> What you changed since is still here and is not
        saved.
        <div className="row wrap mt2">
          <Button size="s" onClick={saving.overwrite}>
            Save mine over it
          </Button>
          <Link
            className="btn secondary s"
            to="/o/$org/webinars/$webinar/registration-page"
            params={{ org, webinar }}
            reloadDocument
          >
            Drop mine and read theirs
          </Link>
        </div>
      </div>
    </div>
  );
}
