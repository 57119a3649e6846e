/** The names of ignored columns and members, which an import prints once. */
import { expect, test } from 'bun:test';
import { createIgnored } from '../../src/plants/transfer/ignored.ts';
import { createWorkplace } from '../support/programs/workplace.ts';

const one = '1 created, 0 replaced, 0 unchanged, 0 skipped, 0 rejected.\n';
const two = one.replace('1', '2');

test.each([
  ['id,name,Tag.\n1,n,t\n', `Ignored column: "Tag." (probably tag).\n${one}`],
  ['id,name, tag,color\n1,n,t,x\n', `Ignored columns: " tag" (probably tag), "color".\n${one}`],
  [
    'x,id,name,created_at,Updated At\n1,1,n,,\n',
    `Ignored columns: "created_at" (probably createdAt), "Updated At" (probably updatedAt), "x".\n${one}`,
  ],
  ['id,name,x,x,x,,\n1,n,1,2,3,,\n', `Ignored column: "x".\n${one}`],
  ['id,name,"a""b\n\u009b"\n1,n,1\n', `Ignored column: "a\\"b\\n\\u009b".\n${one}`],
  [',id,name\n0,1,n\n', `Ignored column: one without a name.\n${one}`],
  [',id,name,tag\n,1,n,t\n', one],
])('an import of the CSV file %j prints %j', async (content, stderr) => {
  using work = createWorkplace();
  work.write('a.csv', content);
  expect(await work.run('import', 'a.csv')).toEqual({ exitCode: 0, stdout: '', stderr });
});

test('an import of NDJSON prints the members that it ignored once, those of all rows', async () => {
  using work = createWorkplace();
  work.write(
    'a.ndjson',
    '{"id":1,"name":"n","Tag":"t","color":"x"}\n{"id":2,"name":"n","TAG":null,"color":"y","\\u001b[31m":1}\n',
  );
  expect((await work.run('import', 'a.ndjson')).stderr).toBe(
    `Ignored members: "Tag" (probably tag), "TAG" (probably tag), "color", "\\u001b[31m".\n${two}`,
  );
});

test('an import that is refused prints the members that it ignored, too', async () => {
  using work = createWorkplace();
  work.write('a.ndjson', '{"id":1,"Name":"n"}\n');
  const { exitCode, stderr } = await work.run('import', 'a.ndjson');
  expect(exitCode).toBe(1);
  expect(stderr.split('\n').slice(1)).toEqual([
    'Ignored member: "Name" (probably name).',
    'plant-store: 1 row is invalid; nothing was imported.',
    '',
  ]);
});

test('of many names some are printed, first those that are close to a known one, and long ones are cut', () => {
  const ignored = createIgnored();
  for (let n = 0; n < 100_000; n += 1) ignored.add(`x${n}`);
  ignored.add('Tag');
  const names = Array.from({ length: 20 }, (_, n) => `"x${n}"`).join(', ');
  expect(ignored.message('member')).toBe(`Ignored members: "Tag" (probably tag), ${names}, and others.`);

  const long = createIgnored();
  for (const end of ['a', 'b']) long.add('🌱'.repeat(60_000) + end);
  expect(long.message('column')).toBe(`Ignored column: "${'🌱'.repeat(50)}…".`);
});
