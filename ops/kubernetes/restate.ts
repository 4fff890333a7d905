import type { Construct } from 'constructs';
import { addDisruptionBudget, addService, addWorkload } from './workload.ts';

const image = 'docker.io/restatedev/restate:1.7.12';
const nodes = 3;
const nodePort = 5122;

const nodeUrls = (port: number): string[] =>
  Array.from({ length: nodes }, (_, at) => `http://restate-${at}.restate:${port}`);

/** The addresses of every node: whoever does not answer is passed over. */
export const restateUrls = (port: number): string => nodeUrls(port).join(',');

/** Three nodes that keep everything twice: one may be lost. */
export function addRestate(scope: Construct): void {
  addWorkload(scope, {
    name: 'restate',
    kind: 'StatefulSet',
    image,
    env: {
      RESTATE_CLUSTER_NAME: 'rostrum',
      RESTATE_NODE_NAME: '$(POD_NAME)',
      RESTATE_ADVERTISED_ADDRESS: `http://$(POD_NAME).restate:${nodePort}`,
      RESTATE_METADATA_CLIENT__ADDRESSES: `[${restateUrls(nodePort)}]`,
      RESTATE_BASE_DIR: '/restate-data',
      RESTATE_AUTO_PROVISION: 'false', // the job below does it, once
      RESTATE_DEFAULT_REPLICATION: '2',
      RESTATE_DEFAULT_NUM_PARTITIONS: '6', // read when the cluster is first made
      RESTATE_BIND_IP: '0.0.0.0',
      RESTATE_LISTEN_MODE: 'tcp',
      RESTATE_INGRESS__BIND_ADDRESS: '0.0.0.0:8080',
      RESTATE_ADMIN__BIND_ADDRESS: '0.0.0.0:9070',
      RESTATE_ADMIN__DISABLE_WEB_UI: 'true',
      RESTATE_DEFAULT_JOURNAL_RETENTION: '1h',
      RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '1 GiB',
      RESTATE_WORKER__INVOKER__CONCURRENT_INVOCATIONS_LIMIT: '32',
      RESTATE_WORKER__INVOKER__REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE: '/identity/identity.pem',
      RESTATE_DISABLE_TELEMETRY: 'true',
    },
    // RESTATE_WORKER__SNAPSHOTS__DESTINATION and the keys of that bucket: without snapshots logs are never trimmed.
    envFrom: [{ secret: 'restate-snapshots' }],
    ports: { ingress: 8080, admin: 9070, node: nodePort },
    probes: {
      readinessProbe: {
        httpGet: { path: '/restate/health', port: 8080 },
        periodSeconds: 5,
        timeoutSeconds: 3,
      },
    },
    resources: { cpu: '500m', memory: '3Gi' },
    graceSeconds: 60,
    volumes: [
      { name: 'identity', secret: { secretName: 'restate-identity' } },
      { name: 'tmp', emptyDir: {} },
    ],
    mounts: [
      { name: 'data', mountPath: '/restate-data' },
      { name: 'identity', mountPath: '/identity', readOnly: true },
      { name: 'tmp', mountPath: '/tmp' },
    ],
    spec: {
      serviceName: 'restate',
      replicas: nodes,
      podManagementPolicy: 'Parallel', // the nodes find each other before any is ready
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '50Gi' } } },
        },
      ],
    },
  });
  addDisruptionBudget(scope, 'restate');
  addService(
    scope,
    'restate',
    { of: 'restate' },
    {
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      ports: [
        { name: 'ingress', port: 8080 },
        { name: 'admin', port: 9070 },
        { name: 'node', port: nodePort },
      ],
    },
  );
  addWorkload(scope, {
    name: 'restate-provision',
    kind: 'Job',
    image,
    args: ['provision', '--address', nodeUrls(nodePort)[0]!, '--yes'],
    command: ['restatectl'],
    env: {},
    ports: {},
    resources: { cpu: '50m', memory: '128Mi' },
    graceSeconds: 30,
    spec: { backoffLimit: 20 },
  });
}
