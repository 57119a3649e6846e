/** The parser of Prometheus's own client for Python reads the metrics. */
import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createMetrics } from '../src/telemetry/metrics.ts';
import { parseMetrics } from '../tests/support/telemetry/prometheus.ts';
import { startService } from './service.ts';

const python = join(import.meta.dir, '.venv/bin/python');

/** Prints the families of the text on stdin as JSON: name, type, help and samples, each with its name, labels and value. */
const program = `
import json, sys
from prometheus_client.parser import text_string_to_metric_families as parse
print(json.dumps([[f.name, f.type, f.documentation, [[s.name, s.labels, repr(s.value)] for s in f.samples]] for f in parse(sys.stdin.read())]))
`;

// Skipped without Python. `bun run python` installs it.
test.skipIf(!existsSync(python))('the client of Prometheus for Python reads each metric and each value', async () => {
  await using service = await startService();
  const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' };
  await fetch(`${service.url}/plants`, { method: 'POST', headers, body: '{"id":1,"name":"n"}' });
  await fetch(`${service.url}/webhooks`, { method: 'POST', headers, body: '{"url":"https://example.com/"}' });
  await fetch(`${service.url}/nowhere`);
  const text = await (await fetch(`${service.url}/metrics`, { headers })).text();
  const child = Bun.spawn([python, '-c', program], { stdin: new Blob([text]), stdout: 'pipe' });
  type Family = [name: string, type: string, help: string, samples: [string, Record<string, string>, string][]];
  const families: Family[] = JSON.parse(await child.stdout.text());

  // The second is that of a setting.
  const unused = ['plant_store_retries_total', 'plant_store_backup_timestamp_seconds'];
  // The parser removes the suffix of a counter from the name of its family.
  const named = createMetrics({ version: '', runtime: '', runtime_version: '', engine: '' })
    .all.filter(({ name }) => !unused.includes(name))
    .map(({ name, type, help }) => [name.replace(/_total$/, ''), type, help]);
  expect(families.map(([name, type, help]) => [name, type, help])).toEqual(named);
  const samples = families.flatMap(([, , , samples]) => samples);
  expect(samples.map(([name, labels, value]) => ({ name, labels, value: Number(value) }))).toEqual(parseMetrics(text));
});
