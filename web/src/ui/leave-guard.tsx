import { useBlocker } from '@tanstack/react-router';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

/** Asks before a page is left on which something is written and not saved; the browser asks where the tab is closed. */
export function LeaveGuard({ isChanged }: { readonly isChanged: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  return (
    <Dialog
      open={status === 'blocked'}
      onClose={() => reset?.()}
      title="Leave without saving?"
      footer={
        <span className="row end">
          <Button kind="danger-ghost" onClick={() => proceed?.()}>
            Leave
          </Button>
          <Button kind="primary" onClick={() => reset?.()}>
            Keep writing
          </Button>
        </span>
      }
    >
      <p>What you changed here is not saved yet, and is gone when you leave.</p>
    </Dialog>
  );
}
