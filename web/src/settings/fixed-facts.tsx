import type { Output } from '../call/types.ts';
import { count } from '../format/number.ts';
import { useMe } from '../frame/me.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icon.tsx';

type Limits = Output<'get_settings'>['settings']['limits'];

/** What cannot be changed, and why. */
export function FixedFacts({ limits }: { readonly limits: Limits }) {
  const { organization } = useMe();
  const isTest = organization.mode === 'test';
  return (
    <section className="card mt6">
      <header>
        <h2>Fixed</h2>
        <span className="end hint row">
          <Icon name="lock" small />
          cannot be changed
        </span>
      </header>
      <dl className="kv body facts">
        <dt>Id</dt>
        <dd>
          <span className="row">
            <span className="mono">{organization.org_id}</span>
            <CopyButton text={organization.org_id} what="the id" />
          </span>
        </dd>
        <dt>Mode</dt>
        <dd>
          <span className={isTest ? 'pill warn' : 'pill ready'}>
            <Icon name={isTest ? 'warning' : 'tick'} />
            {isTest ? 'Test' : 'Live'}
          </span>
          <p className="hint">
            {isTest
              ? 'Messages go to the test recipients only; all others end in a sink and count as sent. The clock can be moved. It never becomes live: make another organization for that.'
              : 'Messages go to everybody they are for. It never becomes a test: make another organization to try things.'}
          </p>
        </dd>
        <dt>Currency</dt>
        <dd>
          {organization.currency}
          <p className="hint">Amounts that are stored are in it.</p>
        </dd>
        <dt>Limits</dt>
        <dd>
          {count(limits.property_configs)} properties, {count(limits.values_of_in)} values in one condition,{' '}
          {count(limits.identifiers_of_person)} identifiers of a person
          <p className="hint">The same for every organization.</p>
        </dd>
      </dl>
    </section>
  );
}
