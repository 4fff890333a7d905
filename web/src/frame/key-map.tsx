import { useState } from 'react';
import { useOrg } from '../call/use-call.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox } from '../ui/field.tsx';
import { lettersOf } from './go-keys.ts';
import { areKeysOn, switchKeys } from './keys.ts';

const keys: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['⌘', 'K'], 'find or do anything'],
  [['/'], 'find in this page'],
  [['C'], 'new broadcast'],
  [['J'], 'next row, also ↓'],
  [['K'], 'previous row, also ↑'],
  [['↵'], 'open the row'],
  [['X'], 'choose the row'],
  [['⌘', 'Z'], 'undo, with ⇧ redo, in a workflow'],
  [['A'], 'add a step after this one, in a workflow'],
  [['D'], 'duplicate the step, in a workflow'],
  [['Del'], 'take the step out, in a workflow'],
  [['Esc'], 'close, or choose nobody'],
  [['?'], 'show this'],
];

/** Which keys do what, and the switch for those of one letter. */
export function KeyMap({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const org = useOrg();
  const [isOn, setOn] = useState(areKeysOn);
  const go = lettersOf(org).map(
    ({ letter, label }) => [['G', letter.toUpperCase()], `go to ${label}`] as const,
  );
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Keys"
      footer={
        <span className="row grow">
          <Checkbox
            label="Single letters act"
            checked={isOn}
            onChange={(event) => {
              switchKeys(event.target.checked);
              setOn(event.target.checked);
            }}
          />
          <span className="end">
            <Button onClick={onClose}>Close</Button>
          </span>
        </span>
      }
    >
      <dl className="keymap">
        {[...keys, ...go].map(([pressed, does]) => (
          <div key={does}>
            <dt>
              {pressed.map((key) => (
                <kbd key={key} className="kbd">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
