/** Pictures with the parts of the service around them: copies, files, webhooks, and the client by Eden. */
import { describe, expect, expectTypeOf, test } from 'bun:test';
import { type Treaty, treaty } from '@elysiajs/eden';
import { createApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/log.ts';
import { versionOf } from '../../src/plants/plant.ts';
import { giveToken } from '../support/app/app.ts';
import { fileOf, readBytes } from '../support/pictures/pictures.ts';
import { runCommand } from '../support/programs/command.ts';
import { createWorkplace } from '../support/programs/workplace.ts';
import { behaviourEngines, openTestStore } from '../support/store/engines.ts';

const [png, webp] = ['leaf.png', 'leaf.webp'].map(fileOf) as [ReturnType<typeof fileOf>, ReturnType<typeof fileOf>];

const fill = async (url: string): Promise<void> => {
  const store = await openTestStore(url);
  for (const id of [1n, 2n, 3n]) await store.plants.create({ id, name: `n${id}` });
  await store.pictures.put(1n, png, {});
  await store.pictures.put(3n, webp, {});
  await store.pictures.put(1n, webp, {});
  await store.pictures.delete(3n, {});
  await store.close();
};

/** All that a store has of pictures. */
const contentOf = async (url: string) => {
  const store = await openTestStore(url);
  const { plants } = await store.plants.find({ limit: 10 });
  const events = await store.events.list({ limit: 20 });
  const pictures = await Promise.all([1n, 2n, 3n].map((id) => store.pictures.get(id)));
  await store.close();
  return {
    plants: plants.map((plant) => [plant, versionOf(plant)]),
    events,
    pictures: pictures.map((file) => file && [file.picture, Buffer.from(file.content).toString('hex')]),
  };
};

describe.each(behaviourEngines.map((engine) => ({ name: engine.name, from: engine })))('from $name', ({ from }) => {
  test.each(behaviourEngines.map((engine) => ({ name: engine.name, to: engine })))(
    'a copy to $name has the pictures, their plants and their events',
    async ({ to }) => {
      await using source = await from.createDatabase();
      await using target = await to.createDatabase();
      await fill(source.url);
      const content = await contentOf(source.url);
      expect(content.pictures.map((file) => file !== undefined)).toEqual([true, false, false]);
      expect((await runCommand(['copy', source.url, target.url])).exitCode).toBe(0);
      expect(await contentOf(target.url)).toEqual(content);
    },
  );

  test.each(['ndjson', 'csv'])(
    'an export in %s has no picture, and an import keeps those of the store',
    async (format) => {
      using work = createWorkplace();
      await using database = await from.createDatabase();
      await fill(database.url);
      const before = await contentOf(database.url);
      const file = work.file(`plants.${format}`);
      const { stdout } = await runCommand(['export', '-', '--format', format, '--database', database.url]);
      expect(stdout).not.toContain('picture');
      expect(stdout).not.toContain('image/webp');
      await Bun.write(file, stdout.replaceAll(/\bn(\d)\b/g, 'm$1'));
      const imported = await runCommand(['import', file, '--on-conflict', 'replace', '--database', database.url]);
      expect(imported.stderr).toContain('3 replaced');
      const after = await contentOf(database.url);
      expect(after.pictures).toEqual(before.pictures);
      expect(after.plants.map(([plant]) => plant)).toEqual(
        before.plants.map(([plant]) => ({ ...(plant as object), name: expect.stringMatching(/^m\d$/) })) as never,
      );
    },
  );
});

test('a backup of SQLite has the pictures, and restores them after they have changed', async () => {
  using work = createWorkplace();
  await fill(work.database);
  const before = await contentOf(work.database);
  const file = work.file('backup.sqlite');
  expect((await runCommand(['backup', file, '--database', work.database])).exitCode).toBe(0);
  expect(await contentOf(file)).toEqual(before);
  const store = await openTestStore(work.database);
  await store.pictures.put(1n, png, {});
  await store.pictures.put(2n, png, {});
  await store.close();
  const changed = await contentOf(work.database);
  expect(changed.pictures).not.toEqual(before.pictures);
  expect((await runCommand(['restore', file, '--database', work.database])).exitCode).toBe(0);
  expect(await contentOf(work.database)).toEqual(before);
  const replaced = work.files().find((name) => name.endsWith('.replaced')) ?? '';
  expect(await contentOf(work.file(replaced))).toEqual(changed);
});

test('Eden sends a picture in a form, and reads it', async () => {
  const store = await openTestStore();
  const { app } = createApp({ store, config: readConfig({}, {}), log: createLog('silent') });
  const api = treaty(app, { headers: { authorization: `Bearer ${await giveToken(store)}` } });
  await store.plants.create({ id: 1n, name: 'Monstera' });
  const { picture } = api.plants({ id: '1' });
  const file = new File([readBytes('leaf.png')], 'leaf.png', { type: 'image/png' });
  expect((await picture.put({ picture: file })).status).toBe(201);
  expectTypeOf<Parameters<typeof picture.put>[0]>().toEqualTypeOf<{ picture: Blob }>();
  const read = await picture.get();
  expect(read.status).toBe(200);
  expectTypeOf<Treaty.Data<typeof picture.get>>().toEqualTypeOf<Blob>();
  expect((await picture.delete()).status).toBe(204);
  await store.close();
});
