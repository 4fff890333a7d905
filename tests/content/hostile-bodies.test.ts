import { describe, expect, test } from 'vitest';
import { accepted, allGood, bodies, refused } from './bodies.ts';

const defined = new Set(['var_a', 'link_var_l']);
const undefinedOnly = '<p>{{var_zz}}</p>';

const shown = (body: string): string => JSON.stringify(body.length > 100 ? `${body.slice(0, 100)}…` : body);
const titled = (list: readonly string[]) => list.map((body) => [shown(body), body] as const);

describe('the bodies given', () => {
  test('they are all there', () => {
    expect(bodies.given.bad).toHaveLength(83);
    expect(bodies.given.good).toHaveLength(9);
  });

  test.each(titled(bodies.given.bad.filter((body) => body !== undefinedOnly)))('%s is refused', (_, body) => {
    const findings = refused(body);
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.length).toBeLessThanOrEqual(20);
    for (const { code, detail, line, column } of findings) {
      expect(code).toMatch(/^[a-z_]+$/);
      expect(detail).toMatch(/[.?]$/);
      expect(line).toBeGreaterThan(0);
      expect(column).toBeGreaterThan(0);
    }
  });

  test('a placeholder that is only not defined is told to whoever knows the definitions', () => {
    expect(accepted(undefinedOnly).placeholders).toEqual(['var_zz']);
  });

  test.each(titled(bodies.given.good))('%s is accepted', (_, body) => {
    expect(accepted(body).placeholders.every((name) => defined.has(name))).toBe(true);
  });
});

describe('bodies of our own', () => {
  test('none is there twice', () => {
    const all = [...bodies.own.bad.map(({ body }) => body), ...bodies.own.good];
    expect(new Set(all).size).toBe(all.length);
  });

  test.each([...new Set(bodies.own.bad.map(({ code }) => code))])(
    '%s is what they are refused for',
    (code) => {
      for (const one of bodies.own.bad.filter((other) => other.code === code)) {
        expect(refused(one.body)[0], `${one.body}`).toMatchObject({ code });
      }
    },
  );

  test.each(titled(bodies.own.good))('%s is accepted', (_, body) => {
    expect(accepted(body).pieces).toBeDefined();
  });
});

describe('rules', () => {
  const first = (body: string): string | undefined => refused(body)[0]?.code;

  test.each([
    '<p>x</p>',
    '<h1>x</h1>',
    '<h2>x</h2>',
    '<h3>x</h3>',
    '<strong>x</strong>',
    '<em>x</em>',
    '<a href="https://a.co">x</a>',
    '<ul><li>x</li></ul>',
    '<ol><li>x</li></ol>',
    '<img src="https://a.co/x.png">',
    '<hr>',
    '<br>',
  ])('BOD-001 %s is accepted and sent as it is', (body) => {
    expect(accepted(body).pieces).toEqual([body]);
  });

  test('BOD-002 every other element of HTML, and any that is none, is refused where it stands', () => {
    const names =
      'abbr acronym address applet area article aside audio b base bdi bdo bgsound big blink blockquote body button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt embed fieldset figcaption figure font footer form frame frameset h4 h5 h6 head header hgroup html i iframe image input ins kbd keygen label legend link listing main map mark marquee math menu meta meter nav nobr noembed noframes noscript object optgroup option output param picture plaintext pre progress q rb rp rt rtc ruby s samp script search section select slot small source span strike style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u var video wbr xmp x-y';
    for (const name of names.split(' ')) {
      const findings = refused(`<p>ok</p>\n<${name}>x</${name}>`);
      expect(findings[0], `${name}`).toMatchObject({ code: 'element_not_allowed', line: 2, column: 1 });
      expect(findings, `${name}`).toHaveLength(1);
    }
  });

  test('BOD-007 a link placeholder that is a part of an href is refused', () => {
    for (const href of ['https://a.co/{{link_var_l}}', '{{link_var_l}}?x=1', ' {{link_var_l}}']) {
      expect(first(`<a href="${href}">x</a>`)).toBe('placeholder_place');
    }
  });

  test('BOD-009 an image in a link is accepted, also where the link is a placeholder', () => {
    const image = '<img src="https://a.co/x.png" alt="x">';
    expect(accepted(`<a href="https://a.co/">${image}</a>`).placeholders).toEqual([]);
    expect(accepted(`<a href="{{link_var_l}}">${image}</a>`).pieces).toEqual([
      '<a',
      { link: 'link_var_l' },
      `>${image}</a>`,
    ]);
  });

  test('BOD-013 template syntax that is no placeholder is refused', () => {
    for (const text of ['{{#if x}}', '{{first_name}}', '{{ var_a }}', '{% x %}', '${x}', '&#123;{x}}']) {
      expect(first(`<p>${text}</p>`), `${text}`).toBe('template_syntax');
    }
  });

  test('BOD-016 a script is refused, by one finding however much is in it', () => {
    const findings = refused(
      '<p>x</p><script>if (a < b) { document.write("<p onclick=1>{{x}}</p>") }</script>',
    );
    expect(findings).toMatchObject([{ code: 'element_not_allowed', line: 1, column: 9 }]);
  });

  test('BOD-017 a form is refused', () => {
    expect(first('<form action="https://a.co"><button>x</button></form>')).toBe('element_not_allowed');
  });

  test('BOD-018 an event handler is refused on every element', () => {
    for (const body of allGood.slice(0, 9)) {
      const element = /<([a-z0-9]+)/i.exec(body)![0];
      const findings = refused(body.replace(element, `${element} onclick="alert(1)"`));
      expect(findings[0]?.code, `${body}`).toBe('attribute_not_allowed');
    }
  });

  test('BOD-019 a javascript: link is refused, whatever its letter case, blanks or references', () => {
    const forms = [
      'javascript:',
      'JAVASCRIPT:',
      ' javascript:',
      '\t\n javascript:',
      'java&#10;script:',
      '&#x6A;avascript:',
    ];
    for (const form of forms)
      expect(first(`<a href="${form}alert(1)">x</a>`), `${form}`).toBe('link_not_allowed');
  });
});
