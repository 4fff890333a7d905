import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { atTrigger, type Graph, type Node, type Trigger, type Way } from '../graph/graph.ts';
import { useWebinarName } from '../graph/use-webinar-name.ts';
import { kindOf, waysOf } from '../graph/ways.ts';
import { iconOf, titleOf } from '../graph/words.ts';
import { changeStep, duplicateStep, leadTo } from '../model/edits.ts';
import type { Told } from '../model/told.ts';
import { Rail } from './rail.tsx';
import { StepFields } from './step-fields.tsx';
import { WayFields } from './way-fields.tsx';

interface StepRailProps {
  readonly id: string;
  readonly part: Trigger | Node;
  readonly graph: Graph;
  readonly told: readonly Told[];
  /** What happened at the step, if it is live. */
  readonly line: string | undefined;
  readonly isLocked: boolean;
  readonly takesFocus: boolean;
  readonly onEdit: (graph: Graph, about?: string) => void;
  readonly onRename: (name: string) => void;
  readonly onAdd: (way: Way) => void;
  readonly onRemove: () => void;
  readonly onClose: () => void;
}

/** Everything about one step. */
export function StepRail(props: StepRailProps) {
  const { id, part, graph, told, line, isLocked, takesFocus, onEdit, onAdd, onRemove, onClose } = props;
  const whole = told.filter((one) => one.step === id && one.field === '');
  return (
    <Rail
      icon={iconOf(part)}
      kind={kindOf(part).label}
      title={titleOf(part, useWebinarName(graph))}
      takesFocus={takesFocus}
      onClose={onClose}
    >
      <section className="col g4">
        {whole.map(({ message }) => (
          <p key={message} className="note bad">
            <Icon name="bad" />
            <span>{message}</span>
          </p>
        ))}
        {id !== atTrigger && <NameField {...props} />}
        <StepFields
          id={id}
          part={part}
          graph={graph}
          told={told}
          isLocked={isLocked}
          onChange={(fields, about) => onEdit(changeStep(graph, id, fields), `${id} ${about}`)}
        />
        <WayFields
          id={id}
          part={part}
          graph={graph}
          told={told}
          isLocked={isLocked}
          onLead={(way, to) => onEdit(leadTo(graph, way, to))}
          onAdd={onAdd}
        />
      </section>
      {line !== undefined && (
        <section>
          <h3 className="medium">This step so far</h3>
          <p className="muted mt1">{line}</p>
        </section>
      )}
      {id !== atTrigger && !isLocked && (
        <section className="row">
          {waysOf(part).length > 0 && (
            <Button kind="ghost" size="s" icon="copy" onClick={() => onEdit(duplicateStep(graph, id))}>
              Duplicate
            </Button>
          )}
          <Button kind="danger-ghost" size="s" icon="trash" onClick={onRemove}>
            Delete step
          </Button>
        </section>
      )}
    </Rail>
  );
}

const namePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** The name that runs, counts and calls know it by. Taken over when the field is left, as it must be one. */
function NameField({ id, graph, isLocked, onRename }: StepRailProps) {
  const [typed, setTyped] = useState(id);
  const error =
    typed === id
      ? undefined
      : typed === atTrigger || graph.nodes.some((node) => node.id === typed)
        ? 'Another step is called so.'
        : namePattern.test(typed)
          ? undefined
          : 'Letters, digits, _ and -, up to 64.';
  const take = (): void => {
    if (typed !== id && error === undefined) onRename(typed);
  };
  return (
    <Field label="Name of the step" error={error}>
      {(ids) => (
        <Input
          {...ids}
          readOnly={isLocked}
          value={typed}
          onChange={({ target: { value } }) => setTyped(value.replaceAll(' ', '-'))}
          onBlur={take}
          onKeyDown={({ key }) => key === 'Enter' && take()}
        />
      )}
    </Field>
  );
}
