import type { Editor } from '@tiptap/core';
import { useState } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { hasGap, labelOf, type Coverage, type Source, type Variables } from '../variables.ts';
import { ImagePop } from './image-pop.tsx';
import { LinkPop } from './link-pop.tsx';
import { Toolbar, type Opened } from './toolbar.tsx';
import { useEditor } from './use-editor.ts';
import { VariablePop } from './variable-pop.tsx';
import { DefinitionPop } from './definition-pop.tsx';
import './body-editor.css';

interface BodyEditorProps {
  /** As it was when the page was opened; what the editor holds since is its own. */
  readonly html: string;
  readonly variables: Variables;
  readonly sources: readonly Source[];
  readonly coverage: readonly Coverage[];
  readonly isLocked: boolean;
  readonly onChange: (html: string, variables: Variables) => void;
}

/** Writes the body of an email in the few elements there are. Opening it changes nothing. */
export function BodyEditor({ html, variables, sources, coverage, isLocked, onChange }: BodyEditorProps) {
  const [opened, setOpened] = useState<Opened>();
  const { mount, editor, definitions, define, lost, forgetLost, isRewritten } = useEditor({
    html,
    variables,
    isLocked,
    onChange,
    onBrace: () => setOpened('variable'),
    labelOf: (name, known) => labelOf(name, known, sources),
    hasGap: (name, known) => hasGap(name, known, coverage),
  });
  const chosen = editor === undefined ? undefined : chosenVariable(editor);
  const close = (): void => {
    setOpened(undefined);
    editor?.view.focus(); // at once: letters typed before would be keys of the page
  };
  return (
    <div className="bodyed">
      {editor !== undefined && !isLocked && (
        <Toolbar
          editor={editor}
          opened={opened}
          onOpen={(which) => setOpened(which === opened ? undefined : which)}
        />
      )}
      {isRewritten && (
        <p className="note info">
          <Icon name="info" />
          <span>
            This body was written elsewhere. It stays as it is, byte for byte, until you edit it here; then it
            is written in the form of this editor.
          </span>
        </p>
      )}
      {lost.length > 0 && (
        <p className="note" role="status">
          <Icon name="info" />
          <span className="grow">Pasted without what an email body has no place for: {lost.join(', ')}.</span>
          <button type="button" className="link plain" onClick={forgetLost}>
            All right
          </button>
        </p>
      )}
      <div className="paper" ref={mount} />
      {editor !== undefined && opened === 'variable' && (
        <VariablePop
          editor={editor}
          sources={sources}
          onClose={close}
          onChoose={(source) => define.insert(source)}
        />
      )}
      {editor !== undefined && opened === 'link' && (
        <LinkPop
          editor={editor}
          sources={sources}
          definitions={definitions}
          define={define}
          onClose={close}
        />
      )}
      {editor !== undefined && opened === 'image' && <ImagePop editor={editor} onClose={close} />}
      {editor !== undefined && opened === undefined && chosen !== undefined && !isLocked && (
        <DefinitionPop
          key={chosen}
          editor={editor}
          name={chosen}
          definition={definitions[chosen]}
          sources={sources}
          coverage={coverage.find(({ name }) => name === chosen)}
          onChange={(definition) => define.set(chosen, definition)}
        />
      )}
    </div>
  );
}

/** The name of the chip that is selected. */
function chosenVariable({ state }: Editor): string | undefined {
  const node =
    'node' in state.selection
      ? (state.selection.node as { type: { name: string }; attrs: unknown })
      : undefined;
  return node?.type.name === 'variable' ? String((node.attrs as { name: unknown }).name) : undefined;
}
