import type { Output } from '../../call/types.ts';
import { count } from '../../format/number.ts';
import { capital, reasonWords } from '../words.ts';

/** In the audience = would get it + left out, each with its reason: it adds up. */
export function Recipients({ plan }: { readonly plan: Output<'plan_broadcast'> }) {
  const { recipients, reachable, excluded, note } = plan.audience;
  const out = recipients - reachable;
  const most = Math.max(1, ...excluded.map((one) => one.count));
  return (
    <div className="body">
      <div className="sum">
        <Figure value={recipients} words="in the audience" />
        <span aria-hidden="true">=</span>
        <Figure value={reachable} words="would get it" isAccent />
        <span aria-hidden="true">+</span>
        <Figure value={out} words="left out" />
      </div>
      <div className="bar l mt4" aria-hidden="true">
        <i className="b-accent" style={{ flexGrow: reachable }} />
        {out > 0 && <i className="b-skipped" style={{ flexGrow: out }} />}
      </div>
      {excluded.length > 0 && (
        <table className="tbl tight mt4">
          <thead>
            <tr>
              <th className="first">Left out because</th>
              <th className="only-wide half" aria-hidden="true" />
              <th className="num last">People</th>
            </tr>
          </thead>
          <tbody>
            {excluded.map(({ reason, count: some }) => (
              <tr key={reason}>
                <td className="first wraps">{capital(reasonWords('skipped', reason, plan.channel))}</td>
                <td className="only-wide">
                  <div className="meter slate">
                    <i style={{ width: `${(100 * some) / most}%` }} />
                  </div>
                </td>
                <td className="num last">{count(some)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="hint mt4">{note}</p>
    </div>
  );
}

const Figure = ({
  value,
  words,
  isAccent = false,
}: {
  readonly value: number;
  readonly words: string;
  readonly isAccent?: boolean;
}) => (
  <span className="col g0">
    <span className={isAccent ? 'fig accent' : 'fig'}>{count(value)}</span>
    <span className="hint">{words}</span>
  </span>
);
