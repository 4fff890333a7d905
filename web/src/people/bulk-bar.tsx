import { useAct } from '../call/use-call.ts';
import { count, people as countPeople } from '../format/number.ts';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useToast } from '../ui/toast.tsx';
import { mostChosen, type Chosen } from './use-chosen.ts';

const channels = [
  ['email', 'email', 'mail'],
  ['sms', 'texts', 'text'],
] as const;

/** In place of the filters while somebody is ticked. */
export function BulkBar({ chosen }: { readonly chosen: Chosen }) {
  const set = useAct('set_many_opt_outs', ['get_opt_outs', 'list_people']);
  const whyNot = useWhyNot()('set_many_opt_outs');
  const toast = useToast();
  const optOut = (channel: 'email' | 'sms', word: string): void =>
    set.mutate(
      { person_ids: [...chosen.ids], channel, opt_out: true },
      {
        onSuccess: ({ changed }) => {
          chosen.clear();
          if (changed.length === 0) toast(`They were opted out of ${word} already`);
          else
            toast(`${countPeople(changed.length)} opted out of ${word}`, () =>
              set.mutate({ person_ids: changed, channel, opt_out: false }),
            );
        },
      },
    );
  return (
    <div className="filters bulk" role="toolbar" aria-label="Those chosen">
      <b className="tabular" role="status">
        {count(chosen.ids.size)} chosen
      </b>
      {chosen.ids.size === mostChosen && <span className="hint">at most {mostChosen} at once</span>}
      {channels.map(([channel, word, icon]) => (
        <Button
          key={channel}
          size="s"
          icon={icon}
          unless={whyNot}
          busy={set.isPending && 'Saving'}
          onClick={() => optOut(channel, word)}
        >
          Opt out of {word}
        </Button>
      ))}
      <Button kind="ghost" size="s" icon="close" onClick={chosen.clear}>
        Clear
      </Button>
      {set.error !== null && (
        <p className="err" role="alert">
          <Icon name="bad" small />
          {set.error.message}
        </p>
      )}
    </div>
  );
}
