import { useParams } from '@tanstack/react-router';
import { useAsk, useOrg } from '../call/use-call.ts';
import { Page } from '../frame/frame.tsx';
import { nameOf } from './name.ts';
import { Person } from './person-panel.tsx';
import './people.css';

export function PersonPage() {
  const { person } = useParams({ from: '/o/$org/people/$person' });
  const org = useOrg();
  const { data } = useAsk('get_person', { person_id: person });
  return (
    <Page
      crumbs={[['People', `/o/${org}/people`]]}
      title={data === undefined ? 'Person' : nameOf(data.person)}
    >
      <div className="person">
        <Person key={person} id={person} heading="h1" />
      </div>
    </Page>
  );
}
