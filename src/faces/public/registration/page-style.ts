import { colorPattern, lightenedFor, textOn } from '../../../kernel/color.ts';
import type { Layout } from '../../../domain/content/body/layout.ts';

const ownColor = '#1d4ed8';
const darkCard = '#27272a';

const rules = `
*,*::before,*::after{box-sizing:border-box}
body{margin:0;font:1rem/1.5 system-ui,sans-serif;background:var(--page);color:var(--text)}
main{max-width:40rem;margin:0 auto;padding:2rem 1rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:2rem;overflow-wrap:anywhere}
.logo{display:block;max-width:200px;max-height:80px;margin-bottom:1.5rem}
.by{margin:0 0 .25rem;color:var(--soft)}
h1{font-size:1.625rem;line-height:1.25;margin:0 0 .75rem}
h2{font-size:1.125rem;line-height:1.35;margin:1.75rem 0 .5rem}
p{margin:0 0 1rem}
.when{font-weight:600}
form{display:grid;gap:1.125rem;margin-top:1.5rem}
.field{display:grid;gap:.25rem}
label{font-weight:600}
label .soft{font-weight:400}
.soft{color:var(--soft)}
input{font:inherit;color:inherit;width:100%;min-height:2.75rem;padding:.5rem .75rem;background:var(--field);border:1px solid var(--edge);border-radius:.375rem}
input[aria-invalid]{border:2px solid var(--bad)}
.tick{display:grid;grid-template-columns:auto 1fr;gap:.25rem .75rem;align-items:start}
.tick input{width:1.5rem;min-height:0;height:1.5rem;margin:0;accent-color:var(--button)}
.tick label{font-weight:400}
.tick .bad{grid-column:2}
.bad{margin:0;color:var(--bad)}
.note{margin:1.5rem 0 0;padding:.875rem 1rem;border:1px solid var(--line);border-left:4px solid var(--button);border-radius:.375rem}
.note.wrong{border-left-color:var(--bad)}
.note p{margin:0}
.note ul{margin:.5rem 0 0;padding-left:1.25rem}
button,.button{display:inline-block;justify-self:start;font:inherit;font-weight:600;min-height:2.75rem;padding:.625rem 1.5rem;border:0;border-radius:.375rem;background:var(--button);color:var(--on-button);text-decoration:none;cursor:pointer}
a{color:var(--link)}
.links{display:flex;flex-wrap:wrap;gap:.75rem 1.25rem;align-items:center}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.trap{position:absolute;left:-100vw;width:1px;height:1px;overflow:hidden}
footer{padding:1.5rem 2rem 0;font-size:.8125rem;color:var(--soft);text-align:center;overflow-wrap:anywhere}
footer p{margin:0 0 .5rem;white-space:pre-line}
.embed{padding:0}
.embed .card{border:0;border-radius:0}
@media (max-width:30rem){main{padding:0}.card{border-width:0 0 1px;border-radius:0;padding:1.25rem 1rem}button{width:100%}}
`.replaceAll('\n', '');

const colorOr = (color: string | null, other: string): string =>
  color !== null && colorPattern.test(color) ? color : other;

/** The look of a page in its organization's colors, light and dark. Nothing but colors is put into it. */
export function styleOf({ link_color, button_color }: Layout): string {
  const link = colorOr(link_color, ownColor);
  const button = colorOr(button_color, link);
  const ways = `--button:${button};--on-button:${textOn(button)}`;
  return (
    `:root{color-scheme:light dark;--page:#f4f4f5;--card:#fff;--field:#fff;--text:#18181b;--soft:#52525b;--line:#e4e4e7;--edge:#71717a;--bad:#b91c1c;--link:${link};${ways}}` +
    `@media (prefers-color-scheme:dark){:root{--page:#18181b;--card:${darkCard};--field:#18181b;--text:#f4f4f5;--soft:#b4b4bb;--line:#3f3f46;--edge:#8e8e96;--bad:#fca5a5;--link:${lightenedFor(darkCard, link)}}}` +
    rules
  );
}
