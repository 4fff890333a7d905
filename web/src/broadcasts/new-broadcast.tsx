import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useNewBroadcast } from './use-new-broadcast.ts';

export function NewBroadcast() {
  const { begin, error, isBusy } = useNewBroadcast();
  const whyNot = useWhyNot()('create_broadcast');
  return (
    <>
      {error !== null && (
        <p className="err" role="alert">
          <Icon name="bad" small />
          {error.message}
        </p>
      )}
      <Button
        kind="primary"
        unless={whyNot}
        busy={isBusy && 'Making'}
        onClick={() => void begin().catch(() => undefined)}
      >
        New broadcast
      </Button>
    </>
  );
}
