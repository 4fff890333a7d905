import { readFile } from 'node:fs/promises';
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1';
import { Job } from 'kubernetes-models/batch/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service } from 'kubernetes-models/v1';
import { describe, expect, test } from 'vitest';
import { manifests } from '../../ops/kubernetes/manifests.ts';
import { readConfig } from '../../src/main/config.ts';

const kinds = { Deployment, StatefulSet, Job, NetworkPolicy, PodDisruptionBudget, Service };

interface Container {
  readonly name: string;
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly envFrom: readonly object[];
  readonly livenessProbe?: object;
  readonly readinessProbe?: object;
}
interface Manifest {
  readonly kind: keyof typeof kinds;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly template?: { readonly spec: { readonly containers: readonly Container[] } } };
}

const all = [...manifests().values()].flatMap(({ objects }) => objects as Manifest[]);
const named = (kind: string): string[] =>
  all.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);
const containers = all.flatMap(({ spec }) => spec.template?.spec.containers ?? []);

test.each([...manifests().keys()])(
  '%s is what the TypeScript makes: npm run kubernetes writes it',
  async (name) => {
    expect(await readFile(`ops/kubernetes/${name}`, 'utf8')).toBe(manifests().get(name)!.text);
  },
);

test.each(all)('$kind $metadata.name is as the API of Kubernetes has it', (object) => {
  const Kind = kinds[object.kind] as unknown as new (data: object) => { validate(): void };
  expect(() => new Kind(object).validate()).not.toThrow();
  expect(() => new Kind({ ...object, spec: 'wrong' }).validate()).toThrow(/spec/);
});

describe('whatever runs for long', () => {
  const running = all
    .filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
    .flatMap(({ spec }) => spec.template!.spec.containers.map(({ name }) => name));

  test('are the parts of the service and Restate', () => {
    expect(running.toSorted()).toEqual(['api', 'handlers', 'mailbox', 'relay', 'restate']);
  });

  test('has a budget, and a policy that says who may speak to it', () => {
    expect(named('PodDisruptionBudget').toSorted()).toEqual(running.toSorted());
    expect(named('NetworkPolicy').toSorted()).toEqual(['nobody-by-default', ...running].toSorted());
  });

  test('is asked whether it is ready', () => {
    for (const name of running)
      expect(containers.find((one) => one.name === name)).toHaveProperty('readinessProbe');
  });
});

test('handlers of two releases can run beside each other, each under its own address', () => {
  expect(named('Deployment')).toContain('handlers-0-1-0');
  expect(named('Service')).toContain('handlers-0-1-0');
  const release = { 'app.kubernetes.io/version': '0.1.0' };
  for (const { kind, spec } of all.filter(({ metadata }) => metadata.name === 'handlers-0-1-0'))
    expect(spec).toMatchObject({ selector: kind === 'Service' ? release : { matchLabels: release } });
  const { env } = containers.find(({ name }) => name === 'handlers')!;
  expect(env).toContainEqual({ name: 'HANDLERS_URL', value: 'http://handlers-0-1-0:9080' });
});

test('no secret stands in them: each comes from a Secret of the cluster', () => {
  const secret = /secret|password|token|key$|_url$|dsn/i;
  const written = containers
    .flatMap(({ env }) => env)
    .filter(({ name, value }) => secret.test(name) && value);
  expect(written.map(({ name }) => name).toSorted()).toEqual(
    expect.arrayContaining(['HANDLERS_URL', 'RESTATE_ADMIN_URL', 'RESTATE_INGRESS_URL']),
  );
  for (const { value } of written) expect(value).not.toMatch(/:\/\/[^/]*@/);
  expect(JSON.stringify(all)).not.toMatch(/DATABASE_URL|ROSTRUM_SECRET|postgres:\/\//);
});

test.each(['api', 'handlers', 'relay', 'mailbox'])('the settings of %s are settings of ours', (name) => {
  const { env } = containers.find((one) => one.name === name)!;
  const given = Object.fromEntries(env.map((one) => [one.name, one.value ?? 'pod-0']));
  const { POD_NAME: _, ...ours } = given;
  const secrets = { DATABASE_URL: 'postgres://service@db/rostrum', ROSTRUM_SECRET: 'x'.repeat(40) };
  const config: Record<string, unknown> = { ...readConfig({ ...ours, ...secrets }) };
  for (const setting of Object.keys(ours)) expect(config).toHaveProperty(setting);
});
