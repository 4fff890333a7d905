import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct, useAsk, useOrg } from '../call/use-call.ts';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { useToast } from '../ui/toast.tsx';
import { SaveView } from './save-view.tsx';
import type { PeopleSearch } from './search.ts';
import type { ChangeSearch } from './use-people.ts';
import { isAs, searchOf, shownBy } from './view.ts';

interface ViewsProps {
  readonly search: PeopleSearch;
  readonly onChange: ChangeSearch;
}

/** The views that members saved, one tab each, and everybody before them. */
export function Views({ search, onChange }: ViewsProps) {
  const org = useOrg();
  const [isNaming, setNaming] = useState(false);
  const { data } = useAsk('list_people_views', {});
  const whyNot = useWhyNot()('save_people_view');
  const save = useAct('save_people_view', ['list_people_views']);
  const remove = useAct('delete_people_view', ['list_people_views']);
  const toast = useToast();
  const views = data?.views ?? [];
  const opened = views.find(({ id }) => id === search.view);
  const isChanged = opened !== undefined && !isAs(opened, search);
  return (
    <nav className="tabs views" aria-label="Views">
      <Link
        to="/o/$org/people"
        params={{ org }}
        search={{}}
        activeOptions={{ exact: true, includeSearch: true }}
        aria-current={opened === undefined ? 'page' : undefined}
      >
        All people
      </Link>
      {views.map((view) => (
        <Link
          key={view.id}
          to="/o/$org/people"
          params={{ org }}
          search={searchOf(view)}
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={view.id === search.view ? 'page' : undefined}
        >
          {view.name}
        </Link>
      ))}
      <span className="row g1 more">
        {isChanged && (
          <Button
            kind="ghost"
            size="s"
            unless={whyNot}
            busy={save.isPending && 'Saving'}
            onClick={() =>
              save.mutate(
                { name: opened.name, ...shownBy(search) },
                { onSuccess: () => toast(`${opened.name} shows this now`) },
              )
            }
          >
            Save changes
          </Button>
        )}
        <Button
          kind="ghost"
          size="s"
          icon="plus"
          aria-label="Save this view"
          unless={whyNot}
          onClick={() => setNaming(true)}
        />
        {opened !== undefined && (
          <Menu
            align="end"
            trigger={<Button kind="ghost" size="s" icon="more" aria-label={`More for ${opened.name}`} />}
          >
            <MenuItem
              icon="trash"
              disabled={whyNot !== undefined}
              onClick={() =>
                remove.mutate(
                  { view_id: opened.id },
                  {
                    onSuccess: () => {
                      onChange({ view: undefined });
                      const { id: _id, created_at: _at, updated_at: _changed, ...kept } = opened;
                      toast(`View “${opened.name}” deleted`, () => save.mutate(kept));
                    },
                  },
                )
              }
            >
              Delete this view
            </MenuItem>
          </Menu>
        )}
      </span>
      <SaveView
        open={isNaming}
        taken={views.map(({ name }) => name)}
        shows={shownBy(search)}
        onClose={() => setNaming(false)}
        onSaved={({ id }) => {
          setNaming(false);
          onChange({ view: id });
        }}
      />
    </nav>
  );
}
