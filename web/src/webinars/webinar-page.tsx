import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useAct, useAsk, useOrg } from '../call/use-call.ts';
import { cityOf } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { Page } from '../frame/frame.tsx';
import { useWhyNot } from '../frame/me.ts';
import { Failed, Skeleton } from '../ui/blank.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { useToast } from '../ui/toast.tsx';
import { AddRegistrant } from './add-registrant.tsx';
import { CancelWebinar } from './cancel-webinar.tsx';
import { ChangeWebinar } from './change-webinar.tsx';
import { DeleteWebinar } from './delete-webinar.tsx';
import { Messages } from './messages.tsx';
import { Registrants } from './registrants.tsx';
import { Reschedule } from './reschedule.tsx';
import { TakeAttendance } from './take-attendance.tsx';
import type { WebinarSearch } from './search.ts';
import { StatePill, type Webinar } from './state.tsx';
import { WebinarRail } from './webinar-rail.tsx';
import { elsewhere, fromNow, hours, longDay, startOf, zoneOf } from './when.ts';
import './webinars.css';

export function WebinarPage() {
  const org = useOrg();
  const { webinar: webinar_id } = useParams({ from: '/o/$org/webinars/$webinar' });
  const asked = useAsk('get_webinar', { webinar_id });
  const webinar = asked.data?.webinar;
  return (
    <Page crumbs={[['Webinars', `/o/${org}/webinars`]]} title={webinar?.title ?? 'Webinar'}>
      {asked.error !== null ? (
        <Failed heading="h1" problem={asked.error} what="this webinar" retry={() => void asked.refetch()} />
      ) : webinar === undefined ? (
        <Skeleton rows={10} heading="Webinar" />
      ) : (
        <div className="split wb">
          <div className="page wide">
            <Head webinar={webinar} />
            {webinar.status !== 'canceled' && <Messages webinar={webinar} />}
            <Registrants webinar={webinar} />
          </div>
          <WebinarRail webinar={webinar} />
        </div>
      )}
    </Page>
  );
}

const useAskAbout = (): ((ask: WebinarSearch['ask']) => void) => {
  const navigate = useNavigate({ from: '/o/$org/webinars/$webinar' });
  return (ask) =>
    void navigate({
      search: ({ ask: _former, ...rest }) => (ask === undefined ? rest : { ...rest, ask }),
    });
};

function Head({ webinar }: { readonly webinar: Webinar }) {
  const { ask } = useSearch({ from: '/o/$org/webinars/$webinar' });
  const askAbout = useAskAbout();
  const { now, zone: orgZone } = useNow();
  const zone = zoneOf(webinar, orgZone);
  const start = startOf(webinar);
  const whyNot = useWhyNot();
  const isCanceled = webinar.status === 'canceled' && 'It is canceled.';
  const done = (): void => askAbout(undefined);
  return (
    <div className="head wrap">
      <div className="grow">
        <h1>{webinar.title}</h1>
        <p className="sub row wrap">
          <StatePill webinar={webinar} />
          <b className="medium">
            {longDay(start, zone)}, {hours(webinar, zone)} {cityOf(zone)}
          </b>
          <span className="hint">
            {[elsewhere(start, zone), fromNow(start, now)].filter((part) => part !== '').join(' · ')}
          </span>
        </p>
      </div>
      <div className="acts">
        {webinar.status === 'draft' && <Schedule webinar={webinar} />}
        <Button
          icon="calendar"
          unless={whyNot('reschedule_webinar') ?? isCanceled}
          onClick={() => askAbout('reschedule')}
        >
          Reschedule
        </Button>
        <Button
          icon="plus"
          unless={whyNot('register_for_webinar') ?? isCanceled}
          onClick={() => askAbout('register')}
        >
          Add registrant
        </Button>
        <Menu
          align="end"
          trigger={
            <button type="button" className="btn secondary icon" aria-label="More">
              <Icon name="more" />
            </button>
          }
        >
          <MenuItem icon="edit" onClick={() => askAbout('change')}>
            Change details
          </MenuItem>
          <MenuItem icon="close" onClick={() => askAbout('cancel')}>
            Cancel the webinar
          </MenuItem>
          <MenuItem icon="trash" onClick={() => askAbout('delete')}>
            Delete
          </MenuItem>
        </Menu>
      </div>
      <Reschedule
        key={`move ${ask === 'reschedule'}`}
        webinar={webinar}
        open={ask === 'reschedule'}
        onClose={done}
      />
      <AddRegistrant webinar={webinar} open={ask === 'register'} onClose={done} />
      <TakeAttendance webinar={webinar} open={ask === 'attendance'} onClose={done} />
      <ChangeWebinar
        key={`change ${ask === 'change'}`}
        webinar={webinar}
        open={ask === 'change'}
        onClose={done}
      />
      <CancelWebinar webinar={webinar} open={ask === 'cancel'} onClose={done} />
      <DeleteWebinar webinar={webinar} open={ask === 'delete'} onClose={done} />
    </div>
  );
}

/** A draft takes registrations, too; scheduling says that its time counts. */
function Schedule({ webinar }: { readonly webinar: Webinar }) {
  const update = useAct('update_webinar', ['get_webinar', 'list_webinars']);
  const toast = useToast();
  const whyNot = useWhyNot()('update_webinar');
  const set = (status: 'draft' | 'scheduled', then: () => void): void =>
    update.mutate({ webinar_id: webinar.id, status }, { onSuccess: then });
  return (
    <Button
      kind="primary"
      unless={whyNot}
      busy={update.isPending && 'Scheduling'}
      onClick={() =>
        set('scheduled', () => toast('Scheduled', () => set('draft', () => toast('It is a draft again'))))
      }
    >
      Schedule
    </Button>
  );
}
