import type { Construct } from 'constructs';
import { restateUrls } from './restate.ts';
import { addDisruptionBudget, addService, addWorkload, nameIn } from './workload.ts';

const release = '0.1.0';
const image = `rostrum:${release}`;
const operatorPort = 8701;

const settings = {
  OPERATOR_HOST: '0.0.0.0', // network policies let only the scraper in
  OPERATOR_PORT: String(operatorPort),
  RESTATE_INGRESS_URL: restateUrls(8080),
  RESTATE_ADMIN_URL: restateUrls(9070),
};

const probesOn = (port: number, ready: string): object => {
  const ask = (path: string) => ({ httpGet: { path, port }, timeoutSeconds: 3 });
  return {
    startupProbe: { ...ask('/health'), periodSeconds: 2, failureThreshold: 60 },
    livenessProbe: { ...ask('/health'), periodSeconds: 10, failureThreshold: 3 },
    readinessProbe: { ...ask(ready), periodSeconds: 5, failureThreshold: 2 },
  };
};

interface Part {
  readonly name: 'api' | 'handlers' | 'relay' | 'mailbox';
  /** The operator asks it on this port: OPERATOR_PORT and its place. */
  readonly operator: number;
  /** It stays beside the next release until what it began has ended, under an address of its own (ADR 69). */
  readonly ofRelease?: true;
  readonly env?: Readonly<Record<string, string>>;
  readonly ports?: Readonly<Record<string, number>>;
  readonly memory: string;
  readonly graceSeconds: number;
  /** The relay serves nobody, and is red while work is late: a release that mends that must get in. */
  readonly ready?: '/health';
  /** A folder that outlives its containers, though not its pods. */
  readonly folder?: string;
  /** What is taken out of service goes on serving so long, until everybody knows. */
  readonly lingerSeconds?: number;
}

const parts: readonly Part[] = [
  {
    name: 'api',
    operator: operatorPort,
    env: { HOST: '0.0.0.0', PORT: '8700' },
    ports: { http: 8700 },
    memory: '768Mi',
    graceSeconds: 75,
    lingerSeconds: 10,
  },
  {
    name: 'handlers',
    operator: operatorPort + 1,
    ofRelease: true,
    env: {
      HANDLERS_HOST: '0.0.0.0',
      HANDLERS_PORT: '9080',
      HANDLERS_URL: `http://${nameIn('handlers', release)}:9080`,
      JOURNAL_DIR: '/journal',
    },
    folder: '/journal',
    ports: { engine: 9080 },
    memory: '768Mi',
    graceSeconds: 60,
    lingerSeconds: 5,
  },
  { name: 'relay', operator: operatorPort + 2, ready: '/health', memory: '512Mi', graceSeconds: 40 },
  {
    name: 'mailbox',
    operator: operatorPort + 3,
    env: { MAILBOX_HOST: '0.0.0.0', MAILBOX_PORT: '2526' },
    ports: { smtp: 2526 },
    memory: '512Mi',
    graceSeconds: 40,
    lingerSeconds: 5,
  },
];

/** The four parts, two of each: one may die or be replaced while the other serves. */
export function addParts(scope: Construct): void {
  for (const part of parts) {
    const {
      name,
      operator,
      ready = '/ready',
      env,
      ports,
      memory,
      graceSeconds,
      lingerSeconds,
      folder,
    } = part;
    addWorkload(scope, {
      name,
      ...(part.ofRelease && { release }),
      kind: 'Deployment',
      image,
      args: ['serve', name],
      env: { ...settings, ...env },
      envFrom: [{ config: 'rostrum' }, { secret: 'rostrum' }],
      ports: { ...ports, operator },
      probes: {
        ...probesOn(operator, ready),
        ...(lingerSeconds !== undefined && { lifecycle: { preStop: { sleep: { seconds: lingerSeconds } } } }),
      },
      resources: { cpu: '250m', memory },
      graceSeconds,
      ...(folder !== undefined && {
        volumes: [{ name: 'folder', emptyDir: {} }],
        mounts: [{ name: 'folder', mountPath: folder }],
      }),
      spec: {
        replicas: 2,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      },
    });
    addDisruptionBudget(scope, name);
  }
  addService(scope, 'api', { of: 'api' }, { ports: [{ name: 'http', port: 80, targetPort: 'http' }] });
  addService(
    scope,
    nameIn('handlers', release),
    { of: 'handlers', release },
    {
      ports: [{ name: 'engine', port: 9080, targetPort: 'engine' }],
    },
  );
  addService(
    scope,
    'mailbox',
    { of: 'mailbox' },
    {
      type: 'LoadBalancer',
      externalTrafficPolicy: 'Local', // so that the address of whoever sends is seen
      ports: [{ name: 'smtp', port: 25, targetPort: 'smtp' }],
    },
  );
}

/** Brings the database up to date and ends. Apply it before the rest of a release; delete the last one first. */
export function addMigration(scope: Construct): void {
  addWorkload(scope, {
    name: 'migrate',
    kind: 'Job',
    image,
    args: ['migrate'],
    env: {},
    envFrom: [{ secret: 'rostrum-owner' }], // DATABASE_OWNER_URL, which nothing else gets
    ports: {},
    resources: { cpu: '100m', memory: '256Mi' },
    graceSeconds: 30,
    spec: { backoffLimit: 4 },
  });
}
