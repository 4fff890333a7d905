const paths = {
  home: 'M2.5 7 8 2.5 13.5 7v6a.5.5 0 0 1-.5.5H3a.5.5 0 0 1-.5-.5zM6.5 13.5v-4h3v4',
  webinar: 'M2 3h12v8H2zM8 11v2.5M5 13.5h6M6.8 5.2v3.6L9.8 7z',
  broadcast: 'M14 2 7 9M14 2l-4.5 12L7 9 2 6.5z',
  workflow: 'M2 2.5h4v3H2zM10 6.5h4v3h-4zM2 10.5h4v3H2zM6 4h2v8H6M8 8h2',
  people:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5c.3-2.5 2-4 4.5-4s4.2 1.5 4.5 4M10.5 2.8a2.5 2.5 0 0 1 0 4.4M12 9.9c1.5.5 2.4 1.8 2.5 3.6',
  person: 'M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.5 14c.4-2.8 2.5-4.5 5.5-4.5s5.1 1.7 5.5 4.5',
  settings: 'M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6M10 2.8v3.4M6 9.8v3.4M8 4.5h4M4 11.5h4',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.7 10.7 14 14',
  updown: 'M5 6l3-3 3 3M5 10l3 3 3-3',
  up: 'M4 10l4-4 4 4',
  down: 'M4 6l4 4 4-4',
  left: 'M10 4 6 8l4 4',
  right: 'M6 4l4 4-4 4',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  tick: 'M3 8.5 6.5 12 13 4.5',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  code: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  mail: 'M2 3.5h12v9H2zM2.3 4l5.7 5 5.7-5',
  opened: 'M2 7l6-4.5L14 7v6.5H2zM2.3 7.3 8 11l5.7-3.7',
  clicked: 'M4 2.5 12.5 8 8.5 9l-1.5 4z',
  replied: 'M6 4 2.5 7.5 6 11M2.5 7.5H9a4.5 4.5 0 0 1 4.5 4.5v1',
  text: 'M2 3h12v8H7l-3 2.5V11H2zM5 6h6M5 8.2h4',
  merged: 'M4 2.5v3c0 2 4 2 4 5v3M12 2.5v3c0 2-4 2-4 5M6 11.5l2 2 2-2',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.8V8l2.2 1.6',
  warning: 'M8 2.2 14.3 13H1.7zM8 6.5v3M8 11.2v.1',
  good: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM5.5 8.2 7.3 10l3.3-3.8',
  bad: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM6 6l4 4M10 6l-4 4',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.5v3.2M8 5.2v.1',
  edit: 'M2.5 13.5 3 10.5 10.8 2.8l2.4 2.4L5.5 13zM9.3 4.3l2.4 2.4',
  undo: 'M5.5 3 2.5 6l3 3M2.5 6H10a3.5 3.5 0 0 1 0 7H6',
  again: 'M13.5 8a5.5 5.5 0 1 1-1.6-3.9L13.5 5.5M13.5 2.5v3h-3',
  upload: 'M8 11V3M4.5 6 8 2.5 11.5 6M2.5 13.5h11',
  download: 'M8 2.5v8M4.5 7.5 8 11l3.5-3.5M2.5 13.5h11',
  open: 'M9 2.5h4.5V7M13.5 2.5 7.5 8.5M11.5 9.5v4h-9v-9h4',
  lock: 'M3.5 7h9v6.5h-9zM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
  key: 'M5.5 12.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM7.7 7.3 13.5 2M11 4.2l2 2',
  trash: 'M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.5 9h6l.5-9',
  calendar: 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7',
  moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z',
  bold: 'M5 3h3.5a2.5 2.5 0 0 1 0 5H5zM5 8h4a2.5 2.5 0 0 1 0 5H5z',
  italic: 'M9.5 3h-2M8.5 13h-2M9 3 7 13',
  link: 'M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2.2-2.2a2.6 2.6 0 0 0-3.7-3.7l-.8.8M9.2 6.8a2.6 2.6 0 0 0-3.7 0L3.3 9A2.6 2.6 0 0 0 7 12.7l.8-.8',
  bullets: 'M6 4h8M6 8h8M6 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  numbers: 'M7 4h7M7 8h7M7 12h7M2.5 3l1-.5V6M2.3 10.2c.3-.6 1.7-.6 1.7.3 0 .8-1.7 1.5-1.7 2.5H4',
  image: 'M2 3h12v10H2zM2.5 11.5 6 8l3 3 2-2 2.5 2.5M10.5 6h.01',
  line: 'M2 8h12',
  redo: 'M10.5 3l3 3-3 3M13.5 6H6a3.5 3.5 0 0 0 0 7h4',
  braces:
    'M6 2.5c-2 0-1.5 1.5-1.5 3S4 8 2.8 8C4 8 4.5 9 4.5 10.5s-.5 3 1.5 3M10 2.5c2 0 1.5 1.5 1.5 3S12 8 13.2 8c-1.2 0-1.7 1-1.7 2.5s.5 3-1.5 3',
  screen: 'M2 3h12v8H2zM8 11v2.5M5 13.5h6',
  phone: 'M4.5 1.8h7v12.4h-7zM7.2 12h1.6',
  flash: 'M9 1.8 3.5 9H8l-1 5.2L12.5 7H8z',
  split: 'M8 14V9L3.5 4.5M8 9l4.5-4.5M3.5 7.5v-3h3M9.5 4.5h3v3',
  condition: 'M8 2 14 8 8 14 2 8zM8 5.5v3M8 10.5v.1',
  property: 'M2.5 8.5v-6h6l5 5-6 6zM5.5 5.5h.01',
  stop: 'M4 4h8v8H4z',
  play: 'M5 3l8 5-8 5z',
  pause: 'M5.5 3v10M10.5 3v10',
  fit: 'M2.5 6v-3.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  list: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  leave: 'M6 2.5H2.5v11H6M10 5l3 3-3 3M13 8H6',
} as const;

export type IconName = keyof typeof paths;

/** Decoration: what it means stands beside it in words, or in the label of its button. */
export const Icon = ({ name, small = false }: { readonly name: IconName; readonly small?: boolean }) => (
  <svg className={small ? 'i s' : 'i'} viewBox="0 0 16 16" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);

export const Mark = () => (
  <span className="mark" aria-hidden="true">
    <svg
      viewBox="0 0 12 12"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d="M1.5 4h9M2.8 4l1.2 6.5h4L9.2 4M6 4V1.5" />
    </svg>
  </span>
);
