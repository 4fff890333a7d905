// The floors of the house. `npm run floors` checks src; tests/floors.test.ts plants violations and expects
// each rule below to name them.

// What each floor may import besides itself. `durable` and `catalogue` stand side by side.
const floors = {
  kernel: [],
  database: ['kernel'],
  domain: ['kernel', 'database'],
  durable: ['kernel', 'database', 'domain'],
  catalogue: ['kernel', 'database', 'domain'],
  faces: ['kernel', 'database', 'domain', 'durable', 'catalogue'],
  main: ['kernel', 'database', 'domain', 'durable', 'catalogue', 'faces'],
};

// The rooms of the domain. Each may import only those listed before it; a large folder has rooms of its own.
const rooms = [
  'orgs',
  'accounts',
  'members',
  'connections',
  'waits',
  'triggers',
  'timeline',
  'identifiers',
  'properties',
  'person-fields',
  'filters',
  ...within('people', ['merge', 'identify', 'opt-outs', 'record']),
  'segments',
  'events',
  'payments',
  ...within('imports', ['record', 'mapping', 'preview', 'commit']),
  ...within('webinars', ['record', 'platforms', 'schedule', 'registrations']),
  'senders',
  ...within('content', ['body', 'calendar', 'variables']),
  'registration-pages',
  ...within('delivery', ['ledger', 'inbound', 'outgoing', 'providers']),
  ...within('broadcasts', ['draft', 'plan', 'sending', 'outcome']),
  'test-clock',
  ...within('workflows', ['shape', 'nodes', 'triggers', 'graph', 'runs', 'record']),
  'tracking',
];

function within(folder, names) {
  return names.map((name) => `${folder}/${name}`);
}

const oneOf = (names) => `(${names.join('|')})`;
const forbid = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to });

module.exports = {
  forbidden: [
    ...Object.entries(floors).map(([floor, below]) =>
      forbid(
        `floor-${floor}`,
        `${floor} may import only ${[floor, ...below].join(', ')}.`,
        { path: `^src/${floor}/` },
        { path: '^src/', pathNot: `^src/${oneOf([floor, ...below])}/` },
      ),
    ),
    forbid(
      'floor-unknown',
      'Every file in src stands on a floor listed in .dependency-cruiser.cjs.',
      { path: '^src/', pathNot: `^src/${oneOf(Object.keys(floors))}/` },
      { path: '.' },
    ),
    ...rooms.map((room, place) =>
      forbid(
        `domain-${room.replace('/', '-')}`,
        `domain/${room} may import only the rooms listed before it.`,
        { path: `^src/domain/${room}/` },
        { path: '^src/domain/', pathNot: `^src/domain/${oneOf(rooms.slice(0, place + 1))}/` },
      ),
    ),
    forbid(
      'domain-unknown',
      'Every file in src/domain is in a room listed in .dependency-cruiser.cjs.',
      { path: '^src/domain/', pathNot: `^src/domain/${oneOf(rooms)}/` },
      { path: '.' },
    ),
    forbid(
      'faces-apart',
      'A face never imports another face.',
      { path: '^src/faces/([^/]+)/' },
      { path: '^src/faces/[^/]+/', pathNot: '^src/faces/$1/' },
    ),
    forbid(
      'no-frameworks-below',
      'The kernel and the domain know neither HTTP, nor the tool protocol, nor the durable engine.',
      { path: '^src/(kernel|domain)/' },
      { path: '(^|node_modules/)(@?fastify(/|$)|@modelcontextprotocol/|@restatedev/)' },
    ),
    forbid(
      'src-alone',
      'What is shipped does not import what surrounds it.',
      { path: '^src/', pathNot: '[.]test[.]ts$' },
      { path: '^(tests|benches|scripts)/' },
    ),
    forbid(
      'web-types-only',
      'The dashboard asks the service; of its code it takes types alone.',
      { path: '^web/src/' },
      { path: '^src/', dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'src-without-web',
      'The service does not know its dashboard.',
      { path: '^src/' },
      { path: '^web/' },
    ),
    forbid('no-circular', 'No circles, not even of types.', { path: '^(src|web/src)/' }, { circular: true }),
    // An import that does not resolve would slip past every path above.
    forbid('no-unresolvable', 'Every import resolves.', { path: '^src/' }, { couldNotResolve: true }),
  ],
  options: {
    // Without swc, dependency-cruiser reads no TypeScript 7 project at all and prints green.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['node', 'import', 'default'] },
  },
};
