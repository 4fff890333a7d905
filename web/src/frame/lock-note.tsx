import type { OperationName } from '../call/types.ts';
import { useWhyNot } from './me.ts';
import { Icon } from '../ui/icon.tsx';

/** Above a page that somebody may read but not change: what is missing, and who can give it. */
export function LockNote({ operation }: { readonly operation: OperationName }) {
  const whyNot = useWhyNot()(operation);
  if (whyNot === undefined) return null;
  return (
    <p className="note lock">
      <Icon name="lock" />
      <span>
        <b>You may look here, and change nothing.</b> {whyNot}
      </span>
    </p>
  );
}
