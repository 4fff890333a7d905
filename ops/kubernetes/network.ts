import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { selectorOf } from './workload.ts';

type Peer = object;

const pods = (...names: string[]): Peer[] => names.map((name) => ({ podSelector: selectorOf(name) }));
/** The namespace of the scraper says so of itself. */
const scraper: Peer = { namespaceSelector: { matchLabels: { 'rostrum/scrapes': 'true' } } };
const balancer: Peer = { namespaceSelector: { matchLabels: { 'rostrum/balances': 'true' } } };

/** Who may speak to whom. Restate's ports ask for no credential: only the parts that need them reach them. */
const allowed: readonly { to: string; from?: readonly Peer[]; ports: readonly number[] }[] = [
  { to: 'api', from: [balancer], ports: [8700] },
  { to: 'mailbox', ports: [2526] }, // the world
  { to: 'handlers', from: pods('restate'), ports: [9080] },
  { to: 'restate', from: pods('api', 'relay', 'handlers', 'mailbox'), ports: [8080] },
  { to: 'restate', from: pods('handlers'), ports: [9070] },
  { to: 'restate', from: pods('restate', 'restate-provision'), ports: [5122] },
  { to: 'api', from: [scraper], ports: [8701] },
  { to: 'handlers', from: [scraper], ports: [8702] },
  { to: 'relay', from: [scraper], ports: [8703] },
  { to: 'mailbox', from: [scraper], ports: [8704] },
];

export function addNetworkPolicies(scope: Construct): void {
  addPolicy(scope, 'nobody-by-default', { podSelector: {}, policyTypes: ['Ingress'] });
  for (const [to, rules] of Map.groupBy(allowed, (rule) => rule.to)) {
    addPolicy(scope, to, {
      podSelector: selectorOf(to),
      policyTypes: ['Ingress'],
      ingress: rules.map(({ from, ports }) => ({
        ...(from !== undefined && { from }),
        ports: ports.map((port) => ({ port, protocol: 'TCP' })),
      })),
    });
  }
}

const addPolicy = (scope: Construct, name: string, spec: object): ApiObject =>
  new ApiObject(scope, `policy-${name}`, {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name },
    spec,
  });
