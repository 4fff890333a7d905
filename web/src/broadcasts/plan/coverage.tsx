import { useAsk } from '../../call/use-call.ts';
import type { Output } from '../../call/types.ts';
import { count } from '../../format/number.ts';

/** How many of those who would get it have each value that the message reads. */
export function Coverage({ plan }: { readonly plan: Output<'plan_broadcast'> }) {
  const listed = useAsk('list_broadcast_variables', {});
  return (
    <section className="card" aria-label="Variables">
      <header>
        <h2>Variables</h2>
        <span className="hint">of {count(plan.audience.reachable)} who would get it</span>
      </header>
      <div className="scrolls-x" tabIndex={0} role="region" aria-label="Table of variables">
        <table className="tbl tight">
          <thead>
            <tr>
              <th className="first">Variable</th>
              <th className="num">Have a value</th>
              <th className="num last">Read the fallback</th>
            </tr>
          </thead>
          <tbody>
            {plan.variables.map(({ name, variable, with_value, with_fallback }) => (
              <tr key={name}>
                <td className="first">
                  {listed.data?.variables.find((one) => one.variable === variable)?.label ?? name}{' '}
                  <span className="hint mono">{name}</span>
                </td>
                <td className="num">{count(with_value)}</td>
                <td className="num last">{count(with_fallback)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
