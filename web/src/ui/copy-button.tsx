import { Button } from './button.tsx';
import { useToast } from './toast.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, as in "Copy the host of DKIM". */
  readonly what: string;
}

/** Copies one text, and says so. */
export function CopyButton({ text, what }: CopyButtonProps) {
  const toast = useToast();
  return (
    <Button
      kind="ghost"
      size="s"
      icon="copy"
      aria-label={`Copy ${what}`}
      onClick={() => void navigator.clipboard.writeText(text).then(() => toast(`Copied ${what}`))}
    />
  );
}
