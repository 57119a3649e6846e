/** Checks what operators use: the files of `deploy/`, and the messages in docs/troubleshooting.md. */
import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig, settingNames } from '../../src/config/config.ts';
import { temporaryFolder } from '../support/folder.ts';

const root = join(import.meta.dir, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** systemd-analyze is in Debian's package systemd. */
const analyzer = Bun.which('systemd-analyze');

const services = ['plant-store.service', 'plant-store-backup.service'];

/** Writes the units with a program that every machine has, and returns the path of this one. */
const unitIn = ({ file }: { file(name: string): string }, name: string): string => {
  for (const unit of [...services, 'plant-store-backup.timer'])
    writeFileSync(file(unit), read(`deploy/${unit}`).replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'));
  return file(name);
};

test.skipIf(analyzer === null).each([...services, 'plant-store-backup.timer'])(
  'systemd accepts %s in deploy/',
  (name) => {
    using folder = temporaryFolder();
    const { exitCode, stderr } = Bun.spawnSync(['systemd-analyze', 'verify', unitIn(folder, name)], { stderr: 'pipe' });
    expect(stderr.toString()).toBe('');
    expect(exitCode).toBe(0);
  },
);

test.skipIf(analyzer === null).each(services)('the exposure level of %s is at most 1.3 of 10', (name) => {
  using folder = temporaryFolder();
  const path = unitIn(folder, name);
  const analyze = ['systemd-analyze', 'security', '--offline=true', '--threshold=13', '--no-pager', path];
  const { exitCode, stdout } = Bun.spawnSync(analyze, { stdout: 'pipe', stderr: 'ignore' });
  expect(stdout.toString()).toContain('Overall exposure level');
  expect(exitCode).toBe(0);
});

test('every setting in deploy/plant-store.env is a setting of the program, and its value is valid', () => {
  const settings = [...read('deploy/plant-store.env').matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value]) => [
    name,
    value,
  ]);
  expect(settings.length).toBeGreaterThan(0);
  expect(settings.map(([name]) => name).filter((name) => !settingNames().includes(`${name}`))).toEqual([]);
  expect(readConfig({}, Object.fromEntries(settings)).database.engine).toBe('sqlite');
});

test('every message in docs/troubleshooting.md is in the source of the program', () => {
  const [page = ''] = read('docs/troubleshooting.md').split('## When an alert fires');
  const entries = [...page.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, entry = '']) => entry);
  const messages = entries.flatMap((entry) => [...entry.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));
  expect(messages.length).toBeGreaterThan(20);
  const source = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => read(join('src', name)))
    .join('\n');
  expect(messages.filter((message) => !source.includes(message))).toEqual([]);
});
