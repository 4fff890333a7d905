import { useEffect, useState } from 'react';
import { useOrg } from '../call/use-call.ts';
import { useTheme } from '../frame/theme.ts';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import type { Draft } from './layout-draft.ts';

const settledMs = 400;
const longestAddress = 12_000; // what comes before a request's headers are refused as too long

/** The layout around a sample, made by the service as it makes a mail, in a frame that can do nothing. */
export function LayoutPreview({ draft }: { readonly draft: Draft }) {
  const org = useOrg();
  const [isNarrow, setNarrow] = useState(false);
  const [theme, setTheme] = useState(useTheme()[0]);
  const query = new URLSearchParams({ ...useSettled(draft), theme }).toString();
  const isTooLong = query.length > longestAddress;
  const address = `/preview/${org}/email-layout?${query}`;
  return (
    <aside className="rail" aria-label="Preview">
      <div className="row wrap">
        <h2 className="h2">Preview</h2>
        <span className="end row wrap">
          <Choice
            label="Width"
            choices={['Wide', 'Phone']}
            chosen={isNarrow ? 'Phone' : 'Wide'}
            onChange={(chosen) => setNarrow(chosen === 'Phone')}
          />
          <Choice
            label="Theme"
            choices={['Light', 'Dark']}
            chosen={theme === 'dark' ? 'Dark' : 'Light'}
            onChange={(chosen) => setTheme(chosen === 'Dark' ? 'dark' : 'light')}
          />
        </span>
      </div>
      {isTooLong ? (
        <p className="note">This is too long to be shown before it is saved.</p>
      ) : (
        // A new frame for each: a frame that goes elsewhere would fill the history of the tab.
        <iframe
          key={address}
          className={isNarrow ? 'mail narrow' : 'mail'}
          title="An email in this layout"
          sandbox=""
          src={address}
        />
      )}
      <div className="row g4 wrap">
        <CopyAsCall operation="get_email_layout" input={{}} />
      </div>
    </aside>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly choices: readonly string[];
  readonly chosen: string;
  readonly onChange: (chosen: string) => void;
}

const Choice = ({ label, choices, chosen, onChange }: ChoiceProps) => (
  <span className="seg" role="group" aria-label={label}>
    {choices.map((choice) => (
      <button key={choice} type="button" aria-pressed={choice === chosen} onClick={() => onChange(choice)}>
        {choice}
      </button>
    ))}
  </span>
);

/** A value once it stayed the same for a moment, so that a word is shown and not each of its letters. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const waiting = setTimeout(() => setSettled(value), settledMs);
    return () => clearTimeout(waiting);
  }, [value]);
  return settled;
}
