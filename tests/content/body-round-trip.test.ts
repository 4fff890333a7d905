import { parseFragment } from 'parse5';
import { expect, test } from 'vitest';
import { renderHtml } from '../../src/domain/content/body/render-body.ts';
import { accepted, allGood, asWritten } from './bodies.ts';
import { outline } from './judge-output.ts';

const none = new Map<string, string>();
const fixed = allGood.filter((body) => accepted(body).placeholders.length === 0);

test('what is sent parses to the tree the author wrote', () => {
  expect(fixed.length).toBeGreaterThan(30);
  for (const body of fixed) {
    const sent = renderHtml(accepted(body).pieces, none);
    expect(outline(parseFragment(sent)), `${body}`).toEqual(outline(parseFragment(body)));
  }
});

test('what is sent is accepted again, and compiles to the same', () => {
  for (const body of allGood) {
    const once = accepted(body);
    expect(accepted(asWritten(once.pieces)), `${body}`).toEqual(once);
  }
});

test('a body is written anew: names in lower case, values in double quotes, end tags that were left out', () => {
  const body =
    "<P>A<P>B <A TITLE='x \"y\" &gt;' HREF=https://a.co/?a&b>&copy; &lt;c&gt; 'd'</A><BR/><ul><LI>e<LI>f</ul>".replace(
      '<ul>',
      '</P><ul>',
    );
  expect(accepted(body).pieces).toEqual([
    '<p>A</p><p>B <a title="x &quot;y&quot; &gt;" href="https://a.co/?a&amp;b">© &lt;c&gt; \'d\'</a><br></p><ul><li>e</li><li>f</li></ul>',
  ]);
});

test('placeholders are told once each, in order of appearance, links that are not https: are counted', () => {
  const body =
    '<p>{{var_b}} <a href="{{link_var_z}}">{{var_a}}</a> {{var_b}} <a href="http://a.co">x</a> <a href="HTTP://b.co">y</a> <a href="https://c.co">z</a> <a href="{{link_var_z}}">w</a></p>';
  expect(accepted(body)).toMatchObject({
    placeholders: ['var_b', 'link_var_z', 'var_a'],
    insecureLinks: 2,
  });
});
