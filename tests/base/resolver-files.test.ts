import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { createResolverNames } from '../../src/base/resolver-files.ts';
import { temporaryFolder } from '../support/folder.ts';

/** The names of a machine with these files. */
const startMachine = (hosts: string, resolvConf: string) => {
  const folder = temporaryFolder();
  const files = { hosts: folder.file('hosts'), resolvConf: folder.file('resolv.conf') };
  const write = (newHosts: string, newResolvConf: string): void => {
    writeFileSync(files.hosts, newHosts);
    writeFileSync(files.resolvConf, newResolvConf);
  };
  write(hosts, resolvConf);
  return { ...createResolverNames(files), write, [Symbol.dispose]: folder[Symbol.dispose] };
};

test('the file of hosts gives all addresses of a name, in their order and without regard to case', () => {
  using machine = startMachine(
    '# comment\n192.0.2.1\tone.test one ONE.alias # two\n::1 one.test\nnonsense name\n192.0.2.2 two',
    '',
  );
  expect(machine.addressesOf('One.Test')).toEqual(['192.0.2.1', '::1']);
  expect(machine.addressesOf('one.alias')).toEqual(['192.0.2.1']);
  expect(machine.addressesOf('two')).toEqual(['192.0.2.2']);
  for (const name of ['name', 'comment', '192.0.2.1', '__proto__']) expect(machine.addressesOf(name)).toEqual([]);
});

test('localhost is this machine, unless the file of hosts has another address', () => {
  using machine = startMachine('127.0.0.2 other.localhost', '');
  expect(machine.addressesOf('localhost')).toEqual(['127.0.0.1', '::1']);
  expect(machine.addressesOf('a.LOCALHOST')).toEqual(['127.0.0.1', '::1']);
  expect(machine.addressesOf('other.localhost')).toEqual(['127.0.0.2']);
  expect(machine.addressesOf('notlocalhost')).toEqual([]);
});

test.each([
  ['search a.test b.test.', 'web', ['web.a.test', 'web.b.test', 'web']],
  ['search a.test', 'web.c', ['web.c', 'web.c.a.test']],
  ['search a.test\noptions ndots:2 timeout:1', 'web.c', ['web.c.a.test', 'web.c']],
  ['search a.test\noptions ndots:2', 'web.c.d', ['web.c.d', 'web.c.d.a.test']],
  ['search a.test\ndomain b.test', 'web', ['web.b.test', 'web']],
  ['; search a.test\nsearch .', 'web', ['web']],
  ['search a.test # b.test\noptions ndots:0', 'web', ['web', 'web.a.test']],
])('with %j, DNS is asked for %s as %j', (resolvConf, name, expected) => {
  using machine = startMachine('', resolvConf);
  expect(machine.namesFor(name)).toEqual(expected);
});

test('a changed file is read again, and a missing one is empty', () => {
  using machine = startMachine('192.0.2.1 one', 'search a.test');
  expect(machine.addressesOf('one')).toEqual(['192.0.2.1']);
  expect(machine.namesFor('one')).toEqual(['one.a.test', 'one']);
  machine.write('192.0.2.22 one', 'search bb.test');
  expect(machine.addressesOf('one')).toEqual(['192.0.2.22']);
  expect(machine.namesFor('one')).toEqual(['one.bb.test', 'one']);
  const none = createResolverNames({ hosts: '/none', resolvConf: '/none' });
  expect(none.addressesOf('one')).toEqual([]);
  expect(none.namesFor('one.test')).toContain('one.test');
});
