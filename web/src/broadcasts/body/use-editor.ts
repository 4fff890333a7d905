import { Editor, type JSONContent } from '@tiptap/core';
import { Fragment, Slice } from '@tiptap/pm/model';
import { UndoRedo } from '@tiptap/extensions';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { nameFor, type Definition, type Source, type Variables } from '../variables.ts';
import { namesIn, type DocumentNode } from './document.ts';
import { parseHtml } from './parse-html.ts';
import { readBody } from './read-body.ts';
import { bodyExtensions } from './schema.ts';
import { withoutHandlers } from './without-handlers.ts';
import { writeBody } from './write-body.ts';

/** A body of 100 KB takes a while to write down: not at every key, but once somebody rests or leaves. */
const restMs = 250;

interface Options {
  readonly html: string;
  readonly variables: Variables;
  readonly isLocked: boolean;
  readonly onChange: (html: string, variables: Variables) => void;
  readonly onBrace: () => void;
  readonly labelOf: (name: string, known: Variables) => string;
  readonly hasGap: (name: string, known: Variables) => boolean;
}

export interface Define {
  /** Puts a chip where the caret is. */
  readonly insert: (source: Source) => void;
  readonly set: (name: string, definition: Definition) => void;
  /** The placeholder for an address, defined. */
  readonly link: (source: Source) => string;
}

/** The editor, made once for the element it is mounted in, and the definitions of its variables. */
export function useEditor(options: Options) {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  const [editor, setEditor] = useState<Editor>();
  const [lost, setLost] = useState<readonly string[]>([]);
  const [isRewritten, setRewritten] = useState(false);
  // Also of chips that were deleted: an undo brings them back.
  const [definitions, setDefinitions] = useState<Variables>(options.variables);
  const known = useRef(definitions);

  const tell = useCallback((document: DocumentNode): void => {
    const used = namesIn(document);
    latest.current.onChange(
      writeBody(document),
      Object.fromEntries(Object.entries(known.current).filter(([name]) => used.includes(name))),
    );
  }, []);

  const mount = useCallback(
    (element: HTMLDivElement | null) => {
      if (element === null) return undefined;
      const { html, isLocked } = latest.current;
      const { document } = readBody(parseHtml(html));
      setRewritten(html !== '' && writeBody(document) !== html);
      let isTold = true;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const tellNow = (): void => {
        clearTimeout(timer);
        if (isTold) return;
        isTold = true;
        tell(made.getJSON() as DocumentNode);
      };
      const made = new Editor({
        element,
        extensions: [...bodyExtensions, UndoRedo],
        content: document as JSONContent,
        editable: !isLocked,
        injectCSS: false,
        editorProps: {
          attributes: { role: 'textbox', 'aria-label': 'Email body', 'aria-multiline': 'true' },
          // Before the editor parses it in a way of its own.
          handleDOMEvents: {
            paste: (view, event) => {
              const pasted = event.clipboardData?.getData('text/html') ?? '';
              if (pasted === '' || !view.editable) return false;
              event.preventDefault();
              const read = readBody(parseHtml(withoutHandlers(pasted)));
              setLost(read.lost);
              const content = (read.document.content ?? []).map((one) => view.state.schema.nodeFromJSON(one));
              view.dispatch(
                view.state.tr.replaceSelection(Slice.maxOpen(Fragment.from(content))).scrollIntoView(),
              );
              return true;
            },
          },
          handleTextInput: (_view, _from, _to, text) => {
            if (text !== '{') return false;
            latest.current.onBrace();
            return true;
          },
        },
        onUpdate: () => {
          setRewritten(false);
          isTold = false;
          clearTimeout(timer);
          timer = setTimeout(tellNow, restMs);
        },
        onTransaction: redraw,
      });
      setEditor(made);
      // Before those of the page: what saves then, or asks whether to leave, is told first.
      const leaving = ['blur', 'keydown'] as const;
      const flush = (event: Event): void => {
        if (!(event instanceof KeyboardEvent) || event.metaKey || event.ctrlKey) tellNow();
      };
      for (const name of leaving) element.addEventListener(name, flush, true);
      addEventListener('beforeunload', tellNow, true);
      return () => {
        tellNow();
        removeEventListener('beforeunload', tellNow, true);
        for (const name of leaving) element.removeEventListener(name, flush, true);
        made.destroy();
        setEditor(undefined);
      };
    },
    [tell],
  );

  useEffect(() => {
    for (const chip of editor?.view.dom.querySelectorAll<HTMLElement>('[data-var]') ?? []) {
      const name = chip.dataset['var'] ?? '';
      const label = options.labelOf(name, definitions);
      if (chip.textContent !== label) chip.textContent = label;
      chip.classList.toggle('warnc', options.hasGap(name, definitions));
    }
  });

  const set = (name: string, definition: Definition): void => {
    known.current = { ...known.current, [name]: definition };
    setDefinitions(known.current);
  };
  const define: Define = {
    insert: (source) => {
      const name = nameFor(source, known.current, 'var');
      if (known.current[name] === undefined) set(name, { variable: source.variable });
      editor?.chain().focus().insertContent({ type: 'variable', attrs: { name } }).run();
    },
    set: (name, definition) => {
      set(name, definition);
      if (editor !== undefined) tell(editor.getJSON() as DocumentNode);
    },
    link: (source) => {
      const name = nameFor(source, known.current, 'link_var');
      if (known.current[name] === undefined) set(name, { variable: source.variable });
      return `{{${name}}}`;
    },
  };
  return { mount, editor, definitions, define, lost, forgetLost: () => setLost([]), isRewritten };
}
