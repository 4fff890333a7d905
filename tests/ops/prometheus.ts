import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/main/free-ports.ts';

export interface Prometheus {
  /** The names of the alerts that fire now. */
  firing(): Promise<string[]>;
  /** How many series a query gives now that have a number. */
  count(query: string): Promise<number>;
  close(): Promise<void>;
}

/** A Prometheus that asks the processes every second and does not wait before an alert fires. */
export async function startPrometheus(rules: string, targets: readonly string[]): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'prometheus-'));
  const port = await freePort();
  await writeFile(
    join(folder, 'rules.yaml'),
    (await readFile(rules, 'utf8')).replaceAll(/\bfor: .*/g, 'for: 0s'),
  );
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '400ms' },
    rule_files: ['rules.yaml'],
    scrape_configs: [{ job_name: 'rostrum', static_configs: [{ targets }] }],
  };
  await writeFile(join(folder, 'config.yaml'), JSON.stringify(config)); // JSON is YAML
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'config.yaml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const exited = once(child, 'exit');
  return {
    firing: async () => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/alerts`).catch(() => undefined);
      if (response?.ok !== true) return [];
      const { data } = (await response.json()) as {
        data: { alerts: { state: string; labels: { alertname: string } }[] };
      };
      return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
    },
    count: async (query) => {
      const asked = new URLSearchParams({ query });
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/query?${asked.toString()}`);
      const { data, error } = (await response.json()) as {
        data?: { result: { value: [number, string] }[] };
        error?: string;
      };
      if (data === undefined) throw new Error(`${query}: ${error}`);
      return data.result.filter(({ value: [, number] }) => number !== 'NaN').length;
    },
    close: async () => {
      child.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
