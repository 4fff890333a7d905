import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { useAct, useAsk, useOrg } from '../call/use-call.ts';
import type { Output } from '../call/types.ts';
import { useWhyNot } from '../frame/me.ts';
import { nameOf, initialsOf } from '../people/name.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { useToast } from '../ui/toast.tsx';
import { ConditionRow } from './condition-row.tsx';
import { conditionOn, fieldsWith, type Segment, type Sent } from './condition.ts';
import { SegmentRail } from './segment-rail.tsx';
import { useNarrowing } from './use-narrowing.ts';

interface SegmentEditorProps {
  /** undefined for one that is being made. */
  readonly saved: Segment | undefined;
  /** What one that is being made begins with. */
  readonly begun?: readonly Sent[] | undefined;
  readonly properties: Output<'list_property_configs'>['property_configs'];
}

const colors = ['#7a5cc4', '#c4793a', '#3d7dc4', '#4d9a62', '#b8557a', '#6b6b64'] as const;
const mostConditions = 20;

interface Row {
  readonly key: number;
  readonly sent: Sent;
}

export function SegmentEditor({ saved, begun, properties }: SegmentEditorProps) {
  const fields = fieldsWith(properties);
  const [name, setName] = useState(saved?.name ?? '');
  const [description, setDescription] = useState(saved?.description ?? '');
  const [color, setColor] = useState(saved?.color ?? colors[0]);
  const [rows, setRows] = useState<readonly Row[]>(() =>
    (saved?.filters ?? begun ?? [conditionOn(fields[0]!, 'gte')]).map((sent, key) => ({
      key,
      sent: sent as Sent,
    })),
  );
  const filters = rows.map(({ sent }) => sent);
  const asked = useDeferredValue(filters);
  const isLocked = saved?.is_system === true;
  const preview = useAsk(
    'preview_segment',
    { filters: asked },
    { keepsFormer: true, enabled: asked.length > 0 && !isLocked },
  );
  const left = useNarrowing(asked, preview.isSuccess && !preview.isFetching);
  const { save, problem, isSaving } = useSave(saved);
  const whyNot = useWhyNot()(saved === undefined ? 'create_segment' : 'update_segment');
  const wrong = problem ?? preview.error;
  return (
    <div className="split">
      <form
        className="sg"
        onSubmit={(event) => {
          event.preventDefault();
          save({ name, description: description === '' ? null : description, color, filters });
        }}
      >
        <div className="head">
          <div>
            <h1>{name === '' ? 'A new segment' : name}</h1>
            <p className="sub">
              {isLocked
                ? 'The service keeps this segment; it cannot be changed.'
                : 'All conditions must hold. Membership is worked out anew at every read.'}
            </p>
          </div>
          {!isLocked && (
            <div className="acts">
              <Button kind="primary" type="submit" unless={whyNot} busy={isSaving && 'Saving'}>
                Save
              </Button>
            </div>
          )}
        </div>
        {problem !== null && !problem.isAllAt(['/name', '/description', '/color', '/filters']) && (
          <p className="note bad" role="alert">
            <Icon name="bad" />
            <span>{problem.message}</span>
          </p>
        )}
        {!isLocked && (
          <div className="cols">
            <Field label="Name" error={problem?.at('/name')}>
              {(ids) => (
                <Input {...ids} required value={name} onChange={(event) => setName(event.target.value)} />
              )}
            </Field>
            <Field label="Description" error={problem?.at('/description')}>
              {(ids) => (
                <Input
                  {...ids}
                  value={description}
                  onChange={(event) => setDescription(event.target.value)}
                />
              )}
            </Field>
            <fieldset className="field colors">
              <legend className="label">Colour of its pill</legend>
              {colors.map((choice) => (
                <label
                  key={choice}
                  className={choice === color ? 'on' : undefined}
                  style={{ background: choice }}
                >
                  <input
                    type="radio"
                    className="vh"
                    name="color"
                    checked={choice === color}
                    onChange={() => setColor(choice)}
                  />
                  <span className="vh">{choice}</span>
                </label>
              ))}
            </fieldset>
          </div>
        )}
        <div className="row mt6">
          <h2 className="h2">Conditions</h2>
          <span className="hint">
            {rows.length} of at most {mostConditions}
          </span>
          <span className="hint end still">still in</span>
        </div>
        <ul className="cds">
          {rows.map(({ key, sent }, place) => (
            <ConditionRow
              key={key}
              place={place}
              condition={sent}
              fields={fields}
              error={wrong?.at(`/filters/${place}`)}
              left={left[place] ?? (rows.length === 1 ? preview.data?.count : undefined)}
              isLocked={isLocked}
              onChange={(changed) =>
                setRows(rows.map((row) => (row.key === key ? { key, sent: changed } : row)))
              }
              onRemove={() => setRows(rows.filter((row) => row.key !== key))}
            />
          ))}
        </ul>
        {!isLocked && (
          <Button
            size="s"
            icon="plus"
            unless={rows.length >= mostConditions && `A segment has at most ${mostConditions} conditions.`}
            onClick={() =>
              setRows([
                ...rows,
                {
                  key: 1 + Math.max(-1, ...rows.map(({ key }) => key)),
                  sent: conditionOn(fields[0]!, 'gte'),
                },
              ])
            }
          >
            Add condition
          </Button>
        )}
        {preview.data !== undefined && preview.data.samples.length > 0 && (
          <>
            <h2 className="h2 five">{preview.data.samples.length === 5 ? 'Five of them' : 'Some of them'}</h2>
            <ul className="list flat">
              {preview.data.samples.map((person) => (
                <li key={person.id}>
                  <span className="avatar" aria-hidden="true">
                    {initialsOf(person)}
                  </span>
                  <span className="medium">{nameOf(person)}</span>
                  <span className="muted end ellipsis">{person.primary_email ?? ''}</span>
                </li>
              ))}
            </ul>
          </>
        )}
      </form>
      <SegmentRail
        saved={saved}
        filters={filters}
        fields={fields}
        left={left}
        preview={preview.data}
        isOld={preview.isPlaceholderData}
      />
    </div>
  );
}

type Changes = { name: string; description: string | null; color: string; filters: Sent[] };

function useSave(saved: Segment | undefined) {
  const org = useOrg();
  const navigate = useNavigate();
  const toast = useToast();
  const create = useAct('create_segment', ['list_segments']);
  const update = useAct('update_segment', ['list_segments', 'get_segment', 'list_people']);
  return {
    problem: create.error ?? update.error,
    isSaving: create.isPending || update.isPending,
    save: (changes: Changes) => {
      if (saved === undefined)
        create.mutate(changes, {
          onSuccess: ({ segment }) =>
            void navigate({ to: '/o/$org/segments/$segment', params: { org, segment: segment.id } }),
        });
      else update.mutate({ segment_id: saved.id, ...changes }, { onSuccess: () => toast('Saved') });
    },
  };
}
