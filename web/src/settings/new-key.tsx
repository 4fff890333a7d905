import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useToast } from '../ui/toast.tsx';

interface NewKeyProps {
  readonly name: string;
  readonly secret: string;
  readonly onDone: () => void;
}

/** The one time that a key's secret is seen. */
export function NewKey({ name, secret, onDone }: NewKeyProps) {
  const toast = useToast();
  return (
    <div className="note info newkey" role="status">
      <Icon name="key" />
      <div className="grow col">
        <b>“{name}” is made. Copy the key now: it is shown this once.</b>
        <div className="row">
          <code className="code grow" data-secret>
            {secret}
          </code>
          <Button
            kind="primary"
            size="s"
            icon="copy"
            onClick={() => void navigator.clipboard.writeText(secret).then(() => toast('Key copied'))}
          >
            Copy key
          </Button>
        </div>
        <p className="hint">
          Send it as the bare value of <code>Authorization</code>, without “Bearer”, together with{' '}
          <code>Auth-Type: api</code>.
        </p>
      </div>
      <Button kind="ghost" size="s" icon="close" aria-label="Close" onClick={onDone} />
    </div>
  );
}
