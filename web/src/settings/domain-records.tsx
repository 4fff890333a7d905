import { CopyButton } from '../ui/copy-button.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import type { SendingDomain } from './sender-records.ts';

type DomainRecord = SendingDomain['records'][number];

const names: Readonly<Record<DomainRecord['purpose'], string>> = {
  ownership: 'Ownership',
  dkim: 'DKIM',
  return_path: 'Return path',
  dmarc: 'DMARC',
};

const states: Readonly<
  Record<DomainRecord['status'], readonly [look: string, icon: IconName, said: string]>
> = {
  found: ['pass', 'good', 'found'],
  missing: ['error', 'bad', 'missing'],
  wrong: ['error', 'bad', 'wrong'],
  unreachable: ['warn', 'warning', 'no answer'],
  unchecked: ['off', 'clock', 'not looked up yet'],
};

/** What to publish, each to be copied, and what the last look met in its place. */
export const DomainRecords = ({ domain }: { readonly domain: SendingDomain }) => (
  <table className="tbl stacks rec">
    <thead>
      <tr>
        <th className="first">Record</th>
        <th>Type</th>
        <th>Host</th>
        <th className="last">Value</th>
      </tr>
    </thead>
    <tbody>
      {domain.records.map((record) => (
        <RecordRow key={record.purpose} record={record} />
      ))}
    </tbody>
  </table>
);

function RecordRow({
  record: { purpose, type, host, value, status, detail },
}: {
  readonly record: DomainRecord;
}) {
  const [look, icon, said] = states[status];
  const isLax = purpose === 'dmarc' && status === 'found';
  return (
    <tr>
      <td className="first">
        <span className={`ck ${look}`}>
          <Icon name={icon} />
          <span>
            <span className="medium">{names[purpose]}</span>
            <br />
            <span className="hint">{isLax ? 'found, any policy does' : said}</span>
          </span>
        </span>
      </td>
      <td className="mono" data-label="Type">
        {type}
      </td>
      <td className="v" data-label="Host">
        <Shown text={host} what={`the host of ${names[purpose]}`} />
      </td>
      <td className="v last" data-label="Value">
        <Shown text={value} what={`the value of ${names[purpose]}`} />
        {detail !== null && <p className={status === 'found' ? 'hint met' : 'err met'}>{detail}</p>}
      </td>
    </tr>
  );
}

const Shown = ({ text, what }: { readonly text: string; readonly what: string }) => (
  <div className="vb">
    <code className="code" title={text}>
      {text}
    </code>
    <CopyButton text={text} what={what} />
  </div>
);
