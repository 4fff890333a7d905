import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';

/** A part of the service, or of what it needs, that runs in pods. */
export interface Workload {
  readonly name: string;
  /** Pods of several releases run beside each other, each in a workload of its own. */
  readonly release?: string;
  readonly kind: 'Deployment' | 'StatefulSet' | 'Job';
  readonly image: string;
  /** Instead of the image's own. */
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Names of secrets and config maps whose keys become environment variables. */
  readonly envFrom?: readonly { readonly secret?: string; readonly config?: string }[];
  readonly ports: Readonly<Record<string, number>>;
  readonly probes?: object;
  readonly resources: { readonly cpu: string; readonly memory: string };
  /** How long it may take to end: see "Stopping" in docs/guides/operating.md. */
  readonly graceSeconds: number;
  readonly volumes?: readonly object[];
  readonly mounts?: readonly object[];
  readonly spec: object;
}

const labelsOf = (name: string) => ({
  'app.kubernetes.io/name': 'rostrum',
  'app.kubernetes.io/component': name,
});
const released = (name: string, release?: string) => ({
  ...labelsOf(name),
  ...(release !== undefined && { 'app.kubernetes.io/version': release }),
});
/** As an object of one release is called: no dots, for the name is part of an address. */
export const nameIn = (name: string, release?: string): string =>
  release === undefined ? name : `${name}-${release.replaceAll('.', '-')}`;
export const selectorOf = (name: string) => ({ matchLabels: labelsOf(name) });

/** Pods that run as nobody in particular, can write nowhere and become nothing more. */
export function addWorkload(scope: Construct, workload: Workload): void {
  const {
    name,
    release,
    kind,
    image,
    command,
    args,
    env,
    envFrom = [],
    ports,
    probes,
    resources,
    spec,
  } = workload;
  const limits = { memory: resources.memory };
  const container = {
    name,
    image,
    ...(command !== undefined && { command }),
    ...(args !== undefined && { args }),
    // A later one may refer to an earlier one: POD_NAME comes first.
    env: [
      { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      ...Object.entries(env).map(([key, value]) => ({ name: key, value })),
    ],
    envFrom: envFrom.map(({ secret, config }) =>
      secret === undefined ? { configMapRef: { name: config } } : { secretRef: { name: secret } },
    ),
    ports: Object.entries(ports).map(([port, containerPort]) => ({ name: port, containerPort })),
    ...probes,
    resources: { requests: { cpu: resources.cpu, ...limits }, limits },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    ...(workload.mounts !== undefined && { volumeMounts: workload.mounts }),
  };
  new ApiObject(scope, name, {
    apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1',
    kind,
    metadata: { name: nameIn(name, release), labels: released(name, release) },
    spec: {
      ...spec,
      ...(kind !== 'Job' && { selector: { matchLabels: released(name, release) } }),
      template: {
        metadata: { labels: released(name, release) },
        spec: {
          automountServiceAccountToken: false,
          terminationGracePeriodSeconds: workload.graceSeconds,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: 1000,
            fsGroup: 1000,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          ...(kind === 'Job' && { restartPolicy: 'OnFailure' }),
          ...(kind !== 'Job' && {
            topologySpreadConstraints: [
              {
                maxSkew: 1,
                topologyKey: 'kubernetes.io/hostname',
                whenUnsatisfiable: 'ScheduleAnyway',
                labelSelector: selectorOf(name),
              },
            ],
          }),
          containers: [container],
          ...(workload.volumes !== undefined && { volumes: workload.volumes }),
        },
      },
    },
  });
}

export function addService(
  scope: Construct,
  name: string,
  { of, release }: { readonly of: string; readonly release?: string },
  spec: { readonly ports: readonly object[]; readonly [field: string]: unknown },
): void {
  new ApiObject(scope, `service-${name}`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, labels: released(of, release) },
    spec: { selector: released(of, release), ...spec },
  });
}

/** Of several pods at most one is taken away at a time by whoever empties nodes. */
export function addDisruptionBudget(scope: Construct, name: string): void {
  new ApiObject(scope, `budget-${name}`, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, labels: labelsOf(name) },
    spec: { maxUnavailable: 1, selector: selectorOf(name) },
  });
}
