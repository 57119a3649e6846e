/** The commands of the README, of docs/api.md and of docs/demo.md on a machine that has npm and curl. */
import { expect, test } from 'bun:test';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../tests/support/folder.ts';
import { freePort } from '../../tests/support/network/port.ts';
import { killIn, processesIn } from '../../tests/support/programs/folder-processes.ts';
import { follow } from '../../tests/support/programs/follow.ts';
import { openTerminal, pathOf, type Terminal } from '../../tests/support/programs/terminal.ts';
import { copyCheckout } from '../../tests/support/project/checkout.ts';
import { until } from '../../tests/support/until.ts';
import { stepsOf } from './session.ts';

/** The programs of the machine. Bun is not one of them. */
const programs = ['bash', 'cat', 'curl', 'cut', 'node', 'npm', 'npx', 'sh'];

/** The first start installs Bun and the dependencies. */
const waitMsMax = 240_000;

test(
  'every command of the README and of docs/api.md works in a fresh clone with npm alone, and prints what the page shows',
  async () => {
    using folder = temporaryFolder();
    await using terminals = new AsyncDisposableStack();
    const machine = await createMachine(folder.path);
    const opened = new Map<number, Terminal>();
    const receiverPort = `${await freePort()}`;

    const steps = ['README.md', 'docs/api.md'].flatMap((page) =>
      stepsOf(readFileSync(join(machine.cwd, page), 'utf8')),
    );
    expect(steps.length).toBeGreaterThan(30);
    for (const { terminal: number, kind, text } of steps) {
      const terminal = opened.get(number) ?? terminals.use(await openTerminal(machine));
      opened.set(number, terminal);
      await follow(
        terminal,
        kind,
        text.replaceAll(/\b3000\b/g, machine.env.PORT).replaceAll(/\b4000\b/g, receiverPort),
        waitMsMax,
      );
    }
  },
  2 * waitMsMax,
);

test(
  'the demo that is started with npm alone, as docs/demo.md shows, is stopped by its process id',
  async () => {
    using folder = temporaryFolder();
    const { cwd, env } = await createMachine(folder.path);
    await using _ = { [Symbol.asyncDispose]: () => killIn(cwd) };
    const page = readFileSync(join(cwd, 'docs/demo.md'), 'utf8');
    const [, commands = ''] = /```sh\n(export PATH=[^`]*)```/.exec(page) ?? [];
    const script = `set -e\n${commands.replaceAll('3000', env.PORT)}wait "$demo"\necho stopped`;

    const shell = Bun.spawn([pathOf('bash'), '-c', script], { cwd, env, stdout: 'pipe', stderr: 'ignore' });
    expect(await shell.stdout.text()).toEndWith('stopped\n');
    await until(() => processesIn(cwd).length === 0);
    await expect(fetch(`http://127.0.0.1:${env.PORT}/healthz`)).rejects.toThrow();
    expect(readFileSync(join(cwd, 'demo.log'), 'utf8')).toContain('"msg":"stopped"');
  },
  waitMsMax,
);

/** A clone, and the environment of a new user, which has nothing of this one but the way to the package registry. */
const createMachine = async (folder: string) => {
  const [cwd, home, bin] = [join(folder, 'clone'), join(folder, 'home'), join(folder, 'bin')];
  for (const path of [cwd, home, bin]) mkdirSync(path);
  copyCheckout(cwd);
  for (const program of programs) symlinkSync(pathOf(program), join(bin, program));
  const network = Object.entries(process.env).flatMap(([name, value = '']) =>
    isOfNetwork.test(name) ? [[name, value] as const] : [],
  );
  const env = { ...Object.fromEntries(network), HOME: home, PATH: bin, TERM: 'dumb', PORT: `${await freePort()}` };
  return { cwd, env };
};

const isOfNetwork =
  /^(?:https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|npm_config_(?:registry|cafile))$/i;
