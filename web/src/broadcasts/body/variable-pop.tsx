import type { Editor } from '@tiptap/core';
import { useState } from 'react';
import { Input } from '../../ui/field.tsx';
import { groupWords, type Source } from '../variables.ts';
import { Pop } from './pop.tsx';

interface VariablePopProps {
  readonly editor: Editor;
  readonly sources: readonly Source[];
  readonly onClose: () => void;
  readonly onChoose: (source: Source) => void;
}

export function VariablePop({ editor, sources, onClose, onChoose }: VariablePopProps) {
  const [typed, setTyped] = useState('');
  const found = sources.filter(({ label, name }) =>
    `${label} ${name}`.toLowerCase().includes(typed.toLowerCase()),
  );
  const choose = (source: Source): void => {
    onClose();
    onChoose(source);
  };
  return (
    <Pop editor={editor} title="Insert a variable" takesFocus onClose={onClose}>
      <Input
        size="s"
        aria-label="Find a variable"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && found[0] !== undefined) {
            event.preventDefault();
            choose(found[0]);
          }
        }}
      />
      <ul className="choices mt2">
        {found.map((source) => (
          <li key={source.variable}>
            <button type="button" onClick={() => choose(source)}>
              <span className="grow ellipsis">{source.label}</span>
              <span className="hint">{groupWords[source.group]}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="hint mt2">No variable is called so.</p>}
    </Pop>
  );
}
