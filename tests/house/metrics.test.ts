/** Checks the uses of the metrics: the alerts and the dashboard of `deploy/`, and the advice on alerts in docs/troubleshooting.md. */
import { expect, test } from 'bun:test';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { temporaryFolder } from '../support/folder.ts';
import { namesIn } from '../support/telemetry/promql.ts';

const root = join(import.meta.dir, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const { all: instruments } = createMetrics();

/** The labels of each series, by the name of the series. */
const series = new Map<string, readonly string[]>([['up', []]]);
for (const { name, type, labels } of instruments) {
  const own = Object.keys(labels);
  if (type !== 'histogram') series.set(name, type === 'summary' ? ['quantile'] : own);
  if (type === 'histogram') series.set(`${name}_bucket`, [...own, 'le']);
  if (type === 'histogram' || type === 'summary')
    for (const part of ['sum', 'count']) series.set(`${name}_${part}`, own);
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
  readonly targets?: readonly { readonly expr: string }[];
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** The data sources of all panels, queries and variables. */
const sources: { readonly uid: string }[] = [];
const dashboard: { readonly panels: readonly Panel[] } = JSON.parse(
  read('deploy/grafana-dashboard.json'),
  (name, value) => {
    if (name === 'datasource') sources.push(value);
    return value;
  },
);
const panels = dashboard.panels.filter(({ type }) => type !== 'row');
const panelExpressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

const { groups }: { groups: readonly { readonly rules: readonly Rule[] }[] } = parse(read('deploy/alerts.yml'));
const rules = groups.flatMap((group) => group.rules);

test.each(rules.map(({ alert, expr }) => [alert, expr] as const))(
  'the alert %s uses only series and labels of the service',
  (_, expression) => expectKnown(expression),
);

test('the dashboard uses only series and labels of the service', () => {
  expect(panelExpressions.length).toBeGreaterThan(20);
  for (const expression of panelExpressions) {
    expect(expression).not.toMatch(/\[(?!\$__rate_interval\])/);
    expectKnown(expression.replaceAll('$__rate_interval', '1m'));
  }
});

test('an invalid expression, or an unknown metric in one, is detected', () => {
  expect(() => namesIn('sum(rate(up[1m])')).toThrow();
  expect(namesIn('sum by (job) (no_such{no_label="x"})')).toEqual({
    metrics: ['no_such'],
    labels: ['job', 'no_label'],
  });
});

test('the dashboard shows every metric of the service', () => {
  const shown = new Set(
    panelExpressions.flatMap((expression) => namesIn(expression.replaceAll('$__rate_interval', '1m')).metrics),
  );
  const hidden = instruments.filter(
    ({ name }) => ![...shown].some((one) => one.replace(/_(?:bucket|sum|count)$/, '') === name || one === name),
  );
  expect(hidden.map(({ name }) => name)).toEqual([]);
});

test('every panel has a description, a unit, a unique id and place, and the selected data source', () => {
  expect(panels.filter(({ description = '' }) => !description.endsWith('.'))).toEqual([]);
  expect(panels.filter(({ type, fieldConfig }) => type !== 'table' && !fieldConfig?.defaults.unit)).toEqual([]);
  expect(sources.filter(({ uid }) => uid !== chosenSource)).toEqual([]);
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});

test('docs/troubleshooting.md says what to do about each alert, in the order of the alerts', () => {
  expect(rules.length).toBeGreaterThan(10);
  const explained = [...read('docs/troubleshooting.md').matchAll(/^- \*\*`(PlantStore\w+)`\*\*/gm)];
  expect(explained.map(([, alert]) => alert)).toEqual(rules.map(({ alert }) => alert));
});

test('every alert has a severity, a summary, a description, and tests in which it fires and does not fire', () => {
  for (const { labels, annotations } of rules) {
    expect(['critical', 'warning']).toContain(`${labels['severity']}`);
    expect(annotations).toEqual({ summary: expect.any(String), description: expect.stringMatching(/\.$/) });
  }
  const { tests }: { tests: readonly { alert_rule_test: readonly { alertname: string; exp_alerts?: unknown[] }[] }[] } =
    parse(read('deploy/alerts.test.yml'));
  const cases = tests.flatMap((one) => one.alert_rule_test);
  const names = rules.map(({ alert }) => alert).sort();
  for (const fires of [true, false])
    expect(
      cases
        .filter(({ exp_alerts }) => (exp_alerts !== undefined) === fires)
        .map(({ alertname }) => alertname)
        .sort(),
    ).toEqual(names);
});

/** promtool is in Debian's package prometheus. */
const hasPromtool = Bun.which('promtool') !== null;

test.skipIf(!hasPromtool).each([
  ['check config', 'prometheus.yml'],
  ['test rules', 'alerts.test.yml'],
])('promtool %s accepts deploy/%s', (command, file) => {
  using folder = temporaryFolder();
  for (const name of ['prometheus.yml', 'alerts.yml', 'alerts.test.yml'])
    cpSync(join(root, 'deploy', name), folder.file(name));
  writeFileSync(folder.file('plant-store.token'), 'plant_x');
  const { exitCode, stdout, stderr } = Bun.spawnSync(['promtool', ...command.split(' '), folder.file(file)], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  expect(`${stdout}${stderr}`).toContain('SUCCESS');
  expect(exitCode).toBe(0);
});

/** A variable of the dashboard. */
const chosenSource = '$' + '{datasource}';

const expectKnown = (expression: string): void => {
  const { metrics, labels } = namesIn(expression);
  expect(metrics.filter((name) => !series.has(name))).toEqual([]);
  const known = ['job', 'instance', ...metrics.flatMap((name) => series.get(name) ?? [])];
  expect(labels.filter((label) => !known.includes(label))).toEqual([]);
};
