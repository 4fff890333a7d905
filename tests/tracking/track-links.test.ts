import fc from 'fast-check';
import { parseFragment, serialize } from 'parse5';
import { describe, expect, test } from 'vitest';
import { wrapHtml } from '../../src/domain/content/body/layout.ts';
import { renderHtml } from '../../src/domain/content/body/render-body.ts';
import { trackLinks, type TrackedLink } from '../../src/domain/content/body/track-links.ts';
import { accepted, allGood } from '../content/bodies.ts';
import { hostileValues } from '../content/hostile-values.ts';
import { tries } from '../support/volume.ts';

const track = (html: string, values: Record<string, string> = {}) => {
  const { pieces, links } = trackLinks(accepted(html).pieces);
  const body = renderHtml(pieces, new Map(Object.entries(values)), (link) => `https://t.co/${link}`);
  return { body, links };
};

test('every web link leads through its number', () => {
  const { body, links } = track(
    '<p><a href="https://a.co/x">one</a> and <a title="t" href="http://b.co/?p=1&amp;q=2#z">two</a></p>',
  );
  expect(body).toBe('<p><a href="https://t.co/0">one</a> and <a title="t" href="https://t.co/1">two</a></p>');
  expect(links).toEqual([{ url: 'https://a.co/x' }, { url: 'http://b.co/?p=1&q=2#z' }]);
});

test('one destination has one number, a placeholder another', () => {
  const { body, links } = track(
    '<p><a href="https://a.co">a</a><a href="{{link_var_x}}">b</a><a href="https://a.co">c</a><a href="{{link_var_x}}">d</a></p>',
    { link_var_x: 'https://a.co' },
  );
  expect(body.match(/t\.co\/\d/g)).toEqual(['t.co/0', 't.co/1', 't.co/0', 't.co/1']);
  expect(links).toEqual([{ url: 'https://a.co' }, { placeholder: 'link_var_x' }]);
});

test('mail and telephone links stay as they are', () => {
  const html = '<p><a href="mailto:a@b.co?subject=Hi">m</a><a href="TEL:+15551234">t</a></p>';
  expect(track(html)).toEqual({ body: html, links: [] });
  const byValue = '<p><a href="{{link_var_x}}">m</a></p>';
  expect(track(byValue, { link_var_x: 'tel:+15551234' }).body).toBe('<p><a href="tel:+15551234">m</a></p>');
});

test('text that reads like a link is text', () => {
  const html =
    '<p>Write &lt;a href="https://a.co"&gt; or href="https://b.co" <img src="https://i.co/x.png" alt="a href=&quot;https://c.co&quot;"></p>';
  expect(track(html).links).toEqual([]);
  const beside =
    '<p><a title="x href=&quot;https://c.co&quot;" href="https://d.co">href="https://e.co"</a></p>';
  const { body, links } = track(beside);
  expect(links).toEqual([{ url: 'https://d.co' }]);
  expect(body).toBe(beside.replace('https://d.co', 'https://t.co/0'));
});

test('a placeholder link without a good value has no href', () => {
  for (const value of ['', ' ', 'javascript:alert(1)', 'https://user@a.co', '//a.co', 'https://a.co/"x']) {
    const { body } = track('<p><a href="{{link_var_x}}" title="t">go</a></p>', { link_var_x: value });
    expect(body).toBe('<p><a title="t">go</a></p>');
  }
  expect(track('<p><a href="{{link_var_x}}">go</a></p>', {}).body).toBe('<p><a>go</a></p>');
});

/** What a reader of HTML makes of it, whatever way characters were escaped. */
const seen = (html: string): string => serialize(parseFragment(html));

describe('but for where links lead, a tracked body is the body', () => {
  const whereTo =
    (links: readonly TrackedLink[], values: ReadonlyMap<string, string>) => (number: number) => {
      const link = links[number]!;
      return 'url' in link ? link.url : (values.get(link.placeholder) ?? '').trim();
    };
  /**
   * The body with its links numbered, and as it was: what a reader sees when every link leads to where it led, and the
   * bytes when no link is tracked.
   */
  const both = (html: string, value: string): { tracked: string[]; plain: string[] } => {
    const body = accepted(html);
    const values = new Map(body.placeholders.map((name) => [name, value]));
    const { pieces, links } = trackLinks(body.pieces);
    const tracked = renderHtml(pieces, values, whereTo(links, values));
    const plain = renderHtml(body.pieces, values);
    return { tracked: [seen(tracked), renderHtml(pieces, values)], plain: [seen(plain), plain] };
  };

  test('of every good body, with every hostile value', () => {
    for (const html of allGood) {
      for (const value of ['https://a.co/?x=1&y=2', ...hostileValues]) {
        const { tracked, plain } = both(html, value);
        expect(tracked).toEqual(plain);
      }
    }
  });

  test('of bodies made at random', () => {
    const text = fc.constantFrom(
      'a',
      ' href="https://x.co" ',
      '&lt;a href="https://y.co"&gt;',
      '{{var_x}}',
      "'",
    );
    const href = fc.constantFrom(
      'https://a.co/b',
      "http://a.co/it's?x=1&amp;y=&amp;amp;",
      'mailto:a@b.co',
      '{{link_var_x}}',
    );
    const link = fc.tuple(href, text, fc.boolean()).map(([to, inner, titled]) => {
      const title = titled ? ' title="a href=&quot;https://no.co&quot;"' : '';
      return `<a${title} href="${to}">${inner}</a>`;
    });
    const body = fc.array(fc.oneof(text, link), { maxLength: 12 }).map((parts) => `<p>${parts.join('')}</p>`);
    const value = fc.constantFrom('https://v.co', 'mailto:v@v.co', 'javascript:1', '');
    const alike = (html: string, one: string): void => {
      const { tracked, plain } = both(html, one);
      expect(tracked).toEqual(plain);
    };
    fc.assert(fc.property(body, value, alike), tries(3_000));
  });
});

describe('the page around it', () => {
  const layout = {
    company_name: 'E',
    logo_url: null,
    logo_alt: null,
    footer_text: null,
    postal_address: 'A',
    link_color: null,
    button_color: null,
  };
  const content = { subject: 'S', previewText: null, body: '<p>b</p>', unsubscribeUrl: 'https://u.co' };

  test('has the picture at its end, and before it a link that nobody sees, hears or reaches by keys', () => {
    const page = wrapHtml(layout, { ...content, openUrl: 'https://t.co/o', trapUrl: 'https://t.co/c' });
    const [trap = '', picture = ''] = page.slice(page.lastIndexOf('</table>')).trim().split('\n').slice(1);
    expect(trap).toMatch(
      /^<a href="https:\/\/t.co\/c" style="display:none[^"]*" aria-hidden="true" tabindex="-1"><\/a>$/,
    );
    expect(picture).toMatch(/^<img src="https:\/\/t.co\/o" alt="" width="1" height="1" [^<]*>$/);
    expect(page.trimEnd().endsWith('</body>\n</html>')).toBe(true);
  });

  test('has neither when nothing is tracked', () => {
    expect(wrapHtml(layout, content)).not.toMatch(/display:none"? *aria-hidden|width="1"/);
  });
});
