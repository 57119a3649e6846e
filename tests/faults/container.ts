/**
 * Builds the image of `deploy/Dockerfile` and runs it repeatedly on one volume, with a read-only root and without
 * capabilities. The image contains only the binary and its libraries. In each round a new container becomes healthy, has all
 * acknowledged plants, creates another, and is stopped: by its stop signal, after which it must shut down with exit
 * code 0, or by SIGKILL. Finally one container serves the demo, which writes nothing, and is refused without `--demo-anywhere`.
 *
 *     bun tests/faults/container.ts [--rounds 20]
 */
import { chownSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { demoToken } from '../../src/tokens/sample.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/network/port.ts';
import { buildProgram } from '../support/programs/built-program.ts';
import { assembleBase, buildImage, type Container, runContainer } from '../support/programs/container.ts';
import { comesTrue, lostMs } from './support/comes-true.ts';
import { inspectDatabase } from './support/database.ts';
import { readOptions, skip, skipWithout } from './support/options.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds } = readOptions(20);
for (const tool of ['buildah', 'runc', 'mmdebstrap']) skipWithout(tool);
if (process.getuid?.() !== 0) skip('a container needs root here');

const mebibyte = 1024 ** 2;
const healthyMsMax = 5000;
const stopMsMax = 15_000;
const userId = 65_532;

const folder = temporaryFolder();
process.on('exit', folder[Symbol.dispose]);
const base = folder.file('base.tar');
await assembleBase(base).catch((error) => skip(`the base image cannot be assembled: ${error}`));
buildProgram();
const image = await buildImage(base, folder.path);
const { expect, expectWithin, end } = createVerdict();

/** The paths of its files, from its root. */
const files = [...new Bun.Glob('**').scanSync({ cwd: image.files, dot: true })];
const allowed =
  /^(?:usr\/local\/bin\/plant-store|(?:usr\/)?lib(?:64)?\/(?:[\w-]+\/)?(?:lib(?:c|m|dl|pthread)|ld-linux[\w-]*)\.so\.\d)$/;
const strays = files.filter((path) => !allowed.test(path));
expect(strays.length === 0, `the image has ${strays.length} files that it does not need, such as ${strays[0]}`);
const sizeMebibytes = files.reduce((sum, path) => sum + lstatSync(join(image.files, path)).size, 0) / mebibyte;

const { config } = image;
expect(config.User === `${userId}:${userId}`, `the user is ${config.User}`);
expect(Object.keys(config.Volumes).join() === '/data', 'there is not one volume');
expect(Object.keys(config.ExposedPorts).join() === '3000/tcp', 'the port is not exposed');
expect(statSync(join(image.files, 'data')).uid === userId, 'the folder of a new volume does not belong to the user');

const makeVolume = (name: string): string => {
  const path = folder.file(name);
  mkdirSync(path, { mode: 0o700 });
  chownSync(path, userId, userId);
  return path;
};
const volume = makeVolume('volume');
const port = await freePort();
const env = [`PORT=${port}`];
const start = (): Container => runContainer(image, folder.path, { volume, env });
const [form, ...check] = config.Healthcheck.Test;
expect(form === 'CMD', 'the health check needs a shell');
const isHealthy = async ({ exec }: Container): Promise<boolean> => (await exec(check)).exitCode === 0;

/** Resolves to how long it took. Rejects when the container ends before it is healthy. */
const becomeHealthy = async (container: Container): Promise<number> => {
  const startedAtMs = performance.now();
  let hasEnded = false;
  void container.exited.then(() => {
    hasEnded = true;
  });
  expect(await comesTrue(async () => hasEnded || (await isHealthy(container))), 'it is not healthy');
  expectWithin(healthyMsMax, 'the time until it was healthy', { fromMs: startedAtMs });
  if (hasEnded) throw new Error(`A container has ended: ${await container.log}`);
  return performance.now() - startedAtMs;
};

let headers: Readonly<Record<string, string>> = {};
const createPlant = async (id: number): Promise<boolean> => {
  const body = JSON.stringify({ id, name: 'n' });
  const response = await fetch(`http://127.0.0.1:${port}/plants`, { method: 'POST', headers, body });
  await response.body?.cancel();
  return response.status === 200;
};
const countPlants = async (): Promise<number> => {
  const response = await fetch(`http://127.0.0.1:${port}/plants?limit=1000`, { headers });
  return JSON.parse(await response.text()).length;
};

const expectConfined = async (container: Container): Promise<void> => {
  const pid = await container.pid();
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  expect(new RegExp(`^Uid:\\t${userId}\\t`, 'm').test(status), 'it runs as another user');
  expect(/^CapEff:\t0+$/m.test(status), 'it has capabilities');
  const backUp = async (file: string): Promise<number> =>
    (await container.exec(['plant-store', 'backup', file])).exitCode;
  expect((await backUp('/copy.sqlite')) === 1, 'its root can be written to');
  expect((await backUp('/data/copy.sqlite')) === 0, 'its volume cannot be written to');
  expect((await container.exec(['sh', '-c', 'true'])).exitCode !== 0, 'it has a shell');
  process.kill(pid, 'SIGSTOP');
  expect(!(await isHealthy(container)), 'it is healthy while it is stopped');
  process.kill(pid, 'SIGCONT');
};

let slowestMs = 0;
for (const round of rounds.each(2)) {
  await using container = start();
  slowestMs = Math.max(slowestMs, await becomeHealthy(container));
  if (round === 1) {
    const { stdout } = await container.exec(['plant-store', 'token', 'create', '--name', 'faults']);
    headers = { authorization: `Bearer ${stdout}`, 'content-type': 'application/json' };
    await expectConfined(container);
  }
  expect((await countPlants()) === round - 1, 'acknowledged plants are lost');
  expect(await createPlant(round), 'a create failed');
  const isKilled = round % 2 === 0;
  await container.kill(isKilled ? 'SIGKILL' : config.StopSignal);
  const stoppedAtMs = performance.now();
  const exitCode = await Promise.race([container.exited, Bun.sleep(lostMs)]);
  expectWithin(stopMsMax, 'a stop', { fromMs: stoppedAtMs });
  expect(exitCode === (isKilled ? 137 : 0), `the exit code was ${exitCode ?? 'not there in time'}`);
  if (exitCode === 0) expect((await container.log).includes('"msg":"stopped"'), 'it did not stop in order');
}
const { isWhole, isLogTrue, plants } = inspectDatabase(join(volume, 'plants.sqlite'));
expect(isWhole && isLogTrue && plants.size === rounds.count(), 'the database is damaged');

const demoVolume = makeVolume('demo');
const startDemo = (...flags: string[]): Container =>
  runContainer(image, folder.path, { volume: demoVolume, env, command: ['serve', '--demo', ...flags] });
{
  await using container = startDemo('--demo-anywhere');
  slowestMs = Math.max(slowestMs, await becomeHealthy(container));
  const authorization = `Bearer ${demoToken}`;
  const { status } = await fetch(`http://127.0.0.1:${port}/plants/1`, { headers: { authorization } });
  expect(status === 200, `the demo has responded with ${status}`);
  await container.kill(config.StopSignal);
  expect((await container.exited) === 0, 'the demo did not stop in order');
  await using refused = startDemo();
  expect((await refused.exited) === 1, 'the demo is served to everyone without --demo-anywhere');
  expect(readdirSync(demoVolume).length === 0, 'the demo has written to its volume');
}
end({
  rounds: rounds.count(),
  'image, MiB': Math.round(sizeMebibytes),
  files: files.length,
  'healthy after, ms': Math.round(slowestMs),
});
