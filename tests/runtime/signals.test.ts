/** A terminal that closes sends SIGHUP, often twice: by the shell and by the kernel. */
import { expect } from 'bun:test';
import { eventIdOf } from '../../src/events/event.ts';
import { temporaryFolder } from '../support/folder.ts';
import { giveToken, halfSent } from '../support/network/served.ts';
import { linuxTest } from '../support/programs/linux.ts';
import { startDemo, startListener, startServer, startTail } from '../support/programs/process.ts';
import { commandOf } from '../support/programs/programs.ts';
import { runtimeNames } from '../support/programs/runtimes.ts';
import { openTestStore } from '../support/store/engines.ts';

linuxTest.each(runtimeNames)(
  'on %s, after SIGHUP, sent more than once, a server finishes its requests and exits with 0',
  async (runtime) => {
    using folder = temporaryFolder();
    const database = folder.file('p.sqlite');
    const token = await giveToken(database);
    await using server = await startServer(database, { program: commandOf(`${runtime} package`) });
    using request = await halfSent(server.port, token);
    server.kill('SIGHUP');
    await server.logged('stopping');
    server.kill('SIGHUP');
    request.finish();
    expect(await request.answer).toStartWith('HTTP/1.1 200 OK');
    expect(await server.exited).toBe(0);
    expect(server.log.at(-1)?.['msg']).toBe('stopped');
  },
);

linuxTest.each(runtimeNames)(
  'on %s, SIGHUP stops a demo, a listener and a tail, which exit with 0',
  async (runtime) => {
    using folder = temporaryFolder();
    const database = folder.file('p.sqlite');
    const program = commandOf(`${runtime} package`);
    await using demo = await startDemo({ program });
    await using listener = await startListener([], { program });
    await using tail = startTail(['--database', database, '--after', await createTwoEvents(database)], { program });
    await tail.lines(1);
    for (const one of [demo, listener, tail]) {
      one.kill('SIGHUP');
      expect(await one.exited).toBe(0);
    }
  },
);

/** Returns the id of the first one. */
const createTwoEvents = async (database: string): Promise<string> => {
  const store = await openTestStore(database);
  for (const id of [1n, 2n]) await store.plants.create({ id, name: 'n' });
  const [first] = await store.events.list({ limit: 1 });
  await store.close();
  if (!first) throw new Error('There is no event.');
  return eventIdOf(first);
};

// Node.js itself handles the signal again.
linuxTest.each(runtimeNames.filter((name) => name !== 'node'))(
  'on %s, a server that nohup has started ignores SIGHUP, and stops at SIGTERM',
  async (runtime) => {
    await using demo = await startDemo({ program: ['nohup', ...commandOf(`${runtime} package`)] });
    demo.kill('SIGHUP');
    expect((await fetch(`${demo.url}/readyz`)).status).toBe(200);
    demo.kill('SIGTERM');
    expect(await demo.exited).toBe(0);
    expect(demo.log.find(({ msg }) => msg === 'stopping')).toMatchObject({ signal: 'SIGTERM' });
  },
);
