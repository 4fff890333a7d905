/** The look of the pages for signing in: the colours, sizes and components of the dashboard, as far as they need them. */
export const style = `
:root {
  color-scheme: light dark;
  --canvas: light-dark(#f7f7f4, #10100f);
  --surface: light-dark(#ffffff, #181817);
  --surface-2: light-dark(#f4f4f1, #20201e);
  --surface-3: light-dark(#ebebe7, #2a2a28);
  --line: light-dark(#e5e5e0, #2b2b28);
  --line-2: light-dark(#d3d3cc, #3c3c38);
  --line-field: light-dark(#8b8b83, #72726b);
  --text: light-dark(#1b1b18, #edede8);
  --text-2: light-dark(#54544e, #b6b6ae);
  --text-3: light-dark(#696962, #9b9b93);
  --accent: light-dark(#0e6470, #1d7884);
  --accent-hover: light-dark(#0a525c, #1f7f8b);
  --accent-text: light-dark(#0b5c67, #74ccd6);
  --accent-soft: light-dark(#e4f1f2, #11282c);
  --red-text: light-dark(#ae241c, #f49a93);
  --red-soft: light-dark(#fceae8, #3a1917);
  --red-solid: light-dark(#d0413a, #e0574f);
  --green-soft: light-dark(#e5f3ea, #142c1e);
  --slate-solid: light-dark(#85857d, #85857d);
  --shadow: 0 1px 2px light-dark(rgb(27 27 24 / 0.06), rgb(0 0 0 / 0.4));
  --focus: 0 0 0 2px var(--surface), 0 0 0 4px var(--accent-text);
  --font: 'Inter Variable', Inter, ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
*, *::before, *::after { box-sizing: border-box; }
body { margin: 0; font: 13px/20px var(--font); color: var(--text); background: var(--canvas); letter-spacing: -0.003em; font-variant-numeric: tabular-nums; -webkit-font-smoothing: antialiased; }
h1, h2, p, ul, ol { margin: 0; padding: 0; font: inherit; list-style: none; }
button, input { font: inherit; color: inherit; letter-spacing: inherit; }
:focus-visible { outline: none; box-shadow: var(--focus) !important; border-radius: 6px; }
main { min-height: 100vh; display: grid; grid-template: 1fr auto / minmax(0, 1fr); justify-items: center; padding: 24px 16px; row-gap: 16px; }
.box { align-self: center; width: 400px; max-width: 100%; }
.box.wide { width: 640px; }
.box.middle { width: 520px; }
.brand { display: flex; align-items: center; gap: 10px; margin-bottom: 24px; font: 600 16px/24px var(--font); letter-spacing: -0.011em; }
.brand .mark { width: 28px; height: 28px; border-radius: 7px; background: var(--text); color: var(--surface); display: grid; place-items: center; }
.brand svg { width: 17px; height: 17px; }
.card { padding: 24px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); box-shadow: var(--shadow); }
.card + .card { margin-top: 16px; }
h1 { font: 600 20px/28px var(--font); letter-spacing: -0.011em; }
h2 { font: 600 16px/24px var(--font); letter-spacing: -0.011em; }
form, .stack { display: grid; gap: 16px; margin-top: 16px; }
.prose { margin-top: 8px; color: var(--text-2); text-wrap: pretty; overflow-wrap: anywhere; }
.field { display: grid; gap: 6px; min-width: 0; }
.field .row { display: flex; justify-content: space-between; }
label { font-weight: 500; }
input { width: 100%; min-height: 40px; padding: 5px 10px; border: 1px solid var(--line-field); border-radius: 6px; background: var(--surface); }
input[aria-invalid='true'] { border-color: var(--red-solid); box-shadow: 0 0 0 1px var(--red-solid); }
.hint { color: var(--text-3); font: 12px/16px var(--font); }
.center { text-align: center; margin-top: 16px; }
a { color: var(--accent-text); font-weight: 500; text-decoration: none; }
a:hover { text-decoration: underline; text-underline-offset: 2px; }
button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 40px; padding: 0 16px; border: 1px solid transparent; border-radius: 6px; font-weight: 500; white-space: nowrap; cursor: pointer; }
button.primary, .button.primary { background: var(--accent); color: #fff; }
button.primary:hover, .button.primary:hover { background: var(--accent-hover); }
button.secondary, .button.secondary { background: var(--surface); border-color: var(--line-2); box-shadow: var(--shadow); }
button.secondary:hover, .button.secondary:hover { background: var(--surface-2); }
button.small { min-height: 28px; padding: 0 10px; }
.note { margin-top: 16px; padding: 10px 12px; border-radius: 6px; background: var(--surface-2); color: var(--text-2); text-wrap: pretty; }
.note.bad { background: var(--red-soft); color: var(--red-text); }
.note.good { background: var(--green-soft); color: var(--text); }
.head { display: flex; align-items: center; justify-content: space-between; gap: 12px; }
.head form { margin: 0; }
.list { margin-top: 12px; }
.list li { display: flex; align-items: center; justify-content: space-between; gap: 12px; padding: 10px 0; border-top: 1px solid var(--line); }
.list li:last-child { padding-bottom: 0; }
.list form { margin: 0; }
.codes { margin-top: 16px; display: grid; grid-template-columns: repeat(auto-fill, minmax(190px, 1fr)); gap: 8px; font: 13px/20px var(--mono); }
.key { font: 13px/20px var(--mono); overflow-wrap: anywhere; }
.qr { display: block; width: 200px; height: 200px; margin: 16px auto 0; border-radius: 6px; }
.pair { display: flex; gap: 8px; flex-wrap: wrap; }
[hidden] { display: none !important; }
.other-way { gap: 12px; }
form.other-way:not([hidden]) + .other-way .or { display: none; }
.or { display: flex; align-items: center; gap: 8px; }
.or::before, .or::after { content: ''; flex: 1; height: 1px; background: var(--line); }
a.button { text-decoration: none; }
a.button.secondary { color: inherit; }
.glyph { width: 40px; height: 40px; margin-bottom: 16px; display: grid; place-items: center; border: 1px solid var(--line-2); border-radius: 10px; box-shadow: var(--shadow); }
.icon { flex: none; width: 16px; height: 16px; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
button .icon, .button .icon { margin-right: 6px; }
.glyph .icon { width: 20px; height: 20px; }
.facts { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 6px 16px; margin: 16px 0 0; }
.facts dt { color: var(--text-3); }
.facts dd { margin: 0; color: var(--text-2); text-wrap: pretty; overflow-wrap: anywhere; }
.facts b { color: var(--text); font-weight: 500; }
form .head h2 { font-size: 13px; line-height: 20px; letter-spacing: inherit; }
.permission { display: flex; gap: 12px; padding: 10px 0; border-top: 1px solid var(--line); }
.head + .permission { border-top: 0; }
.permission:last-child { padding-bottom: 0; }
.permission .key { color: var(--text-3); font-size: 12px; font-weight: 400; }
.hint.bad { color: var(--red-text); }
input[type='checkbox'] { appearance: none; flex: none; position: relative; width: 28px; min-height: 16px; height: 16px; margin: 2px 0 0; padding: 0; border: 0; border-radius: 999px; background: var(--slate-solid); cursor: pointer; }
input[type='checkbox']::before { content: ''; position: absolute; top: 2px; left: 2px; width: 12px; height: 12px; border-radius: 50%; background: #fff; }
input[type='checkbox']:checked { background: var(--accent); }
input[type='checkbox']:checked::before { left: 14px; }
.with-icon { display: flex; gap: 10px; margin-top: 0; }
.with-icon .icon { margin-top: 2px; }
.answers { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; }
.choices a { flex: 1; display: flex; justify-content: space-between; gap: 12px; color: var(--text); }
@media (max-width: 720px) {
  .facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .facts dd { margin-bottom: 8px; }
  .answers { grid-template-columns: 1fr; }
  .answers .primary { order: -1; }
  .permission label { display: block; }
  .card { padding: 20px 16px; }
  input, button, .button { min-height: 44px; font-size: 16px; }
  button.small { min-height: 44px; font-size: 13px; }
}
`;
