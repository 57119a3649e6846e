/**
 * The commands of docs/first-year.md, from an empty machine to a restored store, twice for a second day. There is no systemd: `systemctl` and
 * `systemd-run` start the command of a unit with its settings, and files have their places in a folder of the test.
 */
import { expect, test } from 'bun:test';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stepsOf } from '../../docs/pages/session.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/network/port.ts';
import { buildProgram, builtProgram } from '../support/programs/built-program.ts';
import { killIn } from '../support/programs/folder-processes.ts';

const root = join(import.meta.dir, '../..');

/** Of the commands that need root or systemd. `$ROOT` is the folder of the test. */
const shims: Readonly<Record<string, string>> = {
  sudo: 'exec "$@"',
  useradd: 'exit 0',
  bun: 'exit 0',
  'systemd-run': `while true; do case $1 in --uid | --property) shift 2 ;; --*) shift ;; *) break ;; esac; done
    set -a; . "$ROOT/etc/plant-store.env"; cd "$ROOT/var/lib/plant-store"; exec "$@"`,
  systemctl: `
    start() {
      set -a; . "$ROOT/etc/plant-store.env"; cd "$ROOT/var/lib/plant-store"
      program=$(sed -n 's/^ExecStart=//p' "$ROOT/etc/systemd/system/$1.service")
      if grep -q '^Type=oneshot' "$ROOT/etc/systemd/system/$1.service"; then $program; return; fi
      $program >/dev/null 2>>"$ROOT/log" & echo $! >"$ROOT/$1.pid"
      until curl --silent --fail --output /dev/null "http://127.0.0.1:$PORT/readyz"; do sleep 0.1; done
    }
    stop() { kill "$(cat "$ROOT/$1.pid")"; while kill -0 "$(cat "$ROOT/$1.pid")" 2>/dev/null; do sleep 0.1; done; }
    case $1 in
      daemon-reload) ;;
      enable) test -f "$ROOT/etc/systemd/system/$4" && start "$3" ;;
      start | stop) "$1" "$2" ;;
      restart) stop "$2"; start "$2" ;;
    esac`,
};

test('every command of docs/first-year.md works, on a second day too, and the restored store has the plants of the backup', async () => {
  buildProgram();
  using folder = temporaryFolder();
  await using _ = { [Symbol.asyncDispose]: () => killIn(folder.path) };
  const places = ['bin', 'etc/systemd/system', 'usr/local/bin', 'var/lib/plant-store'];
  for (const place of places) mkdirSync(folder.file(place), { recursive: true });
  for (const [name, script] of Object.entries(shims)) {
    writeFileSync(folder.file(`bin/${name}`), `#!/bin/sh\nset -e\n${script}\n`);
    chmodSync(folder.file(`bin/${name}`), 0o755);
  }
  const port = `${await freePort()}`;
  const inFolder = (text: string): string =>
    text
      .replaceAll(/(?<=[\s="'])\/(?=(?:etc|usr\/local|var\/lib)\/)/g, `${folder.path}/`)
      .replaceAll('dist/plant-store', builtProgram)
      .replace('PORT=3000', `PORT=${port}`);
  mkdirSync(folder.file('deploy'));
  for (const name of readdirSync(join(root, 'deploy')))
    writeFileSync(folder.file(`deploy/${name}`), inFolder(readFileSync(join(root, 'deploy', name), 'utf8')));

  const path = [folder.file('bin'), folder.file('usr/local/bin'), process.env['PATH']].join(':');
  const run = async (script: string): Promise<string> => {
    const child = Bun.spawn(['bash', '-e', '-c', inFolder(script)], {
      cwd: folder.path,
      env: { PATH: path, HOME: folder.path, ROOT: folder.path },
      stdout: 'pipe',
      stderr: Bun.file(folder.file('stderr')),
    });
    if ((await child.exited) !== 0) throw new Error(`${script}\n${readFileSync(folder.file('stderr'), 'utf8')}`);
    return child.stdout.text();
  };

  const [install, backUp, upgrade, restore, ...others] = stepsOf(
    readFileSync(join(root, 'docs/first-year.md'), 'utf8'),
    1,
  ).map(({ text }) => text);
  expect(others).toEqual([]);
  await run(`${install}`);
  const asService = 'systemd-run plant-store';
  const plantsIn = async (): Promise<number> => (await run(`${asService} export -`)).split('\n').length - 1;
  const add = (id: number) =>
    run(`echo '{"id":${id},"name":"n"}' >rows.ndjson; ${asService} import "$ROOT/rows.ndjson"`);
  await add(1);
  expect(await run(`${backUp}`)).toMatch(/plants-\d{4}.*\.sqlite\n/);
  await add(2);
  // The next second stands for the next day.
  await run('sleep 1');
  await run(`${backUp}`);
  expect(readdirSync(folder.file('var/lib/plant-store/backups'))).toHaveLength(2);
  await run(`${upgrade?.replace(/^sudo systemctl start .*$/m, '')}`);
  await add(3);
  expect(await plantsIn()).toBe(3);
  await run(`${restore}`);
  expect(await plantsIn()).toBe(2);
  expect(readdirSync(folder.file('var/lib/plant-store')).filter((name) => name.endsWith('.replaced'))).toHaveLength(1);
  expect(await run(`curl --silent --show-error http://127.0.0.1:${port}/readyz`)).toContain('ready');
});
