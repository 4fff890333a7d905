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

// A folder of the domain may import only those listed before it.
const domainOrder = [
  'orgs',
  'waits',
  'triggers',
  'events',
  'identifiers',
  'properties',
  'segments',
  'people',
  'payments',
  'imports',
  'webinars',
  'senders',
  'content',
  'delivery',
  'broadcasts',
  'workflows',
  'tracking',
];

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
    ...domainOrder.map((folder, place) =>
      forbid(
        `domain-${folder}`,
        `domain/${folder} may import only the domain folders listed before it.`,
        { path: `^src/domain/${folder}/` },
        { path: '^src/domain/', pathNot: `^src/domain/${oneOf(domainOrder.slice(0, place + 1))}/` },
      ),
    ),
    forbid(
      'domain-unknown',
      'Every file in src/domain is in a folder listed in .dependency-cruiser.cjs.',
      { path: '^src/domain/', pathNot: `^src/domain/${oneOf(domainOrder)}/` },
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
    forbid('no-circular', 'No circles, not even of types.', { path: '^src/' }, { circular: true }),
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
