import { useState } from 'react';
import type { Problem } from '../call/problem.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input, Select } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { peopleFilters, type Filter, type FilterName } from './filters.ts';
import type { PeopleSearch } from './search.ts';

interface FilterBarProps {
  readonly search: PeopleSearch;
  readonly problem: Problem | null;
  readonly onChange: (
    changed: Partial<Record<FilterName | 'find' | 'segment_id', string | number | boolean | undefined>>,
  ) => void;
  readonly segmentName: string | undefined;
}

/** What narrows the list, one chip each. */
export function FilterBar({ search, problem, onChange, segmentName }: FilterBarProps) {
  const [adding, setAdding] = useState<Filter>();
  const set = peopleFilters.filter(({ name }) => search[name] !== undefined);
  return (
    <>
      <div className="filters">
        <Find key={search.find ?? ''} found={search.find ?? ''} onFind={(find) => onChange({ find })} />
        {segmentName !== undefined && (
          <Chip parts={['Segment', 'is', segmentName]} onRemove={() => onChange({ segment_id: undefined })} />
        )}
        {set.map(({ name, label, says }) => (
          <Chip
            key={name}
            parts={[label, says, String(search[name])]}
            onRemove={() => onChange({ [name]: undefined })}
          />
        ))}
        <Menu
          trigger={
            <Button kind="ghost" size="s" icon="plus">
              Filter
            </Button>
          }
        >
          {peopleFilters
            .filter(({ name }) => search[name] === undefined)
            .map((filter) => (
              <MenuItem key={filter.name} onClick={() => setAdding(filter)}>
                {filter.label} {filter.says}
              </MenuItem>
            ))}
        </Menu>
      </div>
      {adding !== undefined && (
        <AddFilter
          key={adding.name}
          filter={adding}
          onCancel={() => setAdding(undefined)}
          onAdd={(value) => {
            setAdding(undefined);
            onChange({ [adding.name]: value });
          }}
        />
      )}
      {problem?.status === 400 && (
        <p className="err filters" role="alert">
          <Icon name="bad" small />
          {problem.errors[0]?.detail ?? problem.message}
        </p>
      )}
    </>
  );
}

const Chip = ({
  parts: [label, says, value],
  onRemove,
}: {
  readonly parts: readonly [string, string, string];
  readonly onRemove: () => void;
}) => (
  <span className="filter">
    <span className="k">{label}</span>
    <span className="k">{says}</span>
    <span className="v">{value}</span>
    <button type="button" aria-label={`Remove the filter ${label} ${says} ${value}`} onClick={onRemove}>
      <Icon name="close" small />
    </button>
  </span>
);

function Find({
  found,
  onFind,
}: {
  readonly found: string;
  readonly onFind: (find: string | undefined) => void;
}) {
  const [typed, setTyped] = useState(found);
  return (
    <form
      className="input s fnd"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onFind(typed.trim() === '' ? undefined : typed.trim());
      }}
    >
      <Icon name="search" small />
      <input
        type="search"
        data-find
        aria-label="Email, phone or id"
        placeholder="Email, phone or id"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          if (event.target.value === '') onFind(undefined);
        }}
      />
    </form>
  );
}

interface AddFilterProps {
  readonly filter: Filter;
  readonly onAdd: (value: string | number | boolean) => void;
  readonly onCancel: () => void;
}

function AddFilter({ filter, onAdd, onCancel }: AddFilterProps) {
  const { name, label, says, control, choices = [] } = filter;
  const [value, setValue] = useState(choices[0] ?? '');
  const add = (): void => {
    if (value === '') return;
    onAdd(control === 'money' ? Number(value) : name === 'identified' ? value === 'true' : value);
  };
  return (
    <form
      className="adding"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <Field label={`${label} ${says}`}>
        {(ids) =>
          control === 'choice' ? (
            <Select
              {...ids}
              autoFocus
              value={value}
              choices={choices.map((choice) => [choice, choice.replaceAll('_', ' ')])}
              onChange={(event) => setValue(event.target.value)}
            />
          ) : (
            <Input
              {...ids}
              autoFocus
              type={control === 'money' ? 'number' : control === 'date' ? 'date' : 'text'}
              step={control === 'money' ? 'any' : undefined}
              value={value}
              onChange={(event) => setValue(event.target.value)}
            />
          )
        }
      </Field>
      <Button kind="primary" type="submit">
        Add filter
      </Button>
      <Button kind="ghost" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  );
}
