import type { Editor } from '@tiptap/core';
import { labelOf, type Coverage, type Definition, type Source } from '../variables.ts';
import { DefinitionFields } from '../definition-fields.tsx';
import { Pop } from './pop.tsx';

interface DefinitionPopProps {
  readonly editor: Editor;
  readonly name: string;
  readonly definition: Definition | undefined;
  readonly sources: readonly Source[];
  readonly coverage: Coverage | undefined;
  readonly onChange: (definition: Definition) => void;
}

/** What a chip reads and how it is written. */
export const DefinitionPop = ({
  editor,
  name,
  definition,
  sources,
  coverage,
  onChange,
}: DefinitionPopProps) => (
  <Pop
    editor={editor}
    title={definition === undefined ? name : labelOf(name, { [name]: definition }, sources)}
    beside={name}
    onClose={() => editor.chain().focus().setTextSelection(editor.state.selection.to).run()}
  >
    <DefinitionFields definition={definition} sources={sources} coverage={coverage} onChange={onChange} />
  </Pop>
);
