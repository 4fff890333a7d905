import { useId, useRef, useState, type DragEvent } from 'react';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { CsvFile } from './csv-file.ts';

interface FileDropProps {
  readonly title: string;
  readonly hint: string;
  /** Of a page that is about something else. */
  readonly isBeside?: boolean;
  /** Why no file can be chosen. */
  readonly unless?: string | undefined;
  /** Takes the file that was read; what it throws is told here. */
  readonly onFile: (file: CsvFile) => Promise<void>;
}

/** Where a file is dropped or chosen. It is read in a worker, so the page stays quick. */
export function FileDrop({ title, hint, isBeside = false, unless, onFile }: FileDropProps) {
  const hintId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [part, setPart] = useState<number>();
  const [wrong, setWrong] = useState<string>();
  const [isOver, setOver] = useState(false);
  const isBusy = part !== undefined;
  const take = async (files: readonly File[]): Promise<void> => {
    const [file] = files;
    if (file === undefined || isBusy || unless !== undefined) return;
    setWrong(undefined);
    setPart(0);
    try {
      if (files.length > 1) throw new Error('These are several files. Import one after another.');
      await onFile(await CsvFile.open(file, setPart));
    } catch (error) {
      setWrong((error as Error).message);
    } finally {
      setPart(undefined);
    }
  };
  const over = (event: DragEvent): void => {
    event.preventDefault();
    setOver(event.type === 'dragover');
  };
  return (
    <div>
      <div
        className={`drop${isBeside ? ' again' : ''}${isOver && unless === undefined ? ' over' : ''}`}
        onDragOver={over}
        onDragLeave={over}
        onDrop={(event) => {
          over(event);
          void take([...event.dataTransfer.files]);
        }}
      >
        {!isBeside && (
          <span className="glyph">
            <Icon name="upload" />
          </span>
        )}
        <p className="strong">{title}</p>
        <p className="muted" id={hintId}>
          {unless ?? hint}
        </p>
        <input
          ref={input}
          type="file"
          hidden
          accept=".csv,.tsv,.txt,text/csv"
          onChange={(event) => {
            void take([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
        <Button
          kind={isBeside ? 'secondary' : 'primary'}
          {...(!isBeside && { size: 'l' })}
          aria-describedby={hintId}
          unless={unless}
          busy={isBusy && 'Reading the file'}
          onClick={() => input.current?.click()}
        >
          Choose a file
        </Button>
        {isBusy && (
          <span
            className="meter l"
            role="progressbar"
            aria-label="Reading the file"
            aria-valuenow={Math.round(part * 100)}
          >
            <i style={{ width: `${part * 100}%` }} />
          </span>
        )}
      </div>
      {wrong !== undefined && (
        <p className="note bad mt4" role="alert">
          <Icon name="bad" />
          <span>{wrong}</span>
        </p>
      )}
    </div>
  );
}
