/** Two plants whose ids are the same number in a double. Each generated client lists both, edits one, and follows the change. */
import { expect, type Page, test } from '@playwright/test';
import { demo, reset, send } from '../demos.ts';

const big2 = { id: '9007199254740992', name: 'Big 2' };
const big3 = { id: '9007199254740993', name: 'Big 3' };

test.beforeEach(async ({ page }) => {
  await reset(demo);
  for (const { id } of [big2, big3]) await send(demo, 'DELETE', `/plants/${id}`);
  await page.goto('/clients.html');
});

for (const generator of ['openapi-fetch', 'hey-api', 'orval', 'kubb', 'rtk-query']) {
  test(`${generator} with exactFetch creates, lists, renames and follows the right plant`, async ({ page }) => {
    const outcome = await edit(page, generator, { isExact: true });
    expect(outcome).toEqual({ listed: [big2, big3], renamed: big3.id });
    expect(await namesOfBoth()).toEqual(['Big 2', 'Big 3, renamed']);
  });

  test(`${generator} without exactFetch renames the wrong plant, without an error`, async ({ page }) => {
    for (const { id, name } of [big2, big3]) await send(demo, 'POST', '/plants', `{"id":${id},"name":"${name}"}`);
    const outcome = await edit(page, generator, { isExact: false });
    expect(outcome?.renamed).toBe(big2.id);
    expect(await namesOfBoth()).toEqual(['Big 3, renamed', 'Big 3']);
  });
}

const namesOfBoth = (): Promise<string[]> =>
  Promise.all([big2, big3].map(async ({ id }) => (await (await send(demo, 'GET', `/plants/${id}`)).json()).name));

/** In the browser: finds the plant in the list by its name, as a user does, and renames it. */
const edit = (page: Page, generator: string, { isExact }: { isExact: boolean }) =>
  page.evaluate(
    async ({ generator, isExact, demo, plants }) => {
      const { settings } = await import('/clients/settings.ts' as string);
      Object.assign(settings, { url: demo }, !isExact && { fetch: window.fetch.bind(window) });
      const { client } = await import(`/clients/${generator}.ts`);
      if (isExact) for (const plant of plants) await client.create(plant);

      const { followPlants } = await import('/app/follow-plants.ts' as string);
      const changes = followPlants(new AbortController().signal);
      await changes.next();
      const listed = (await client.list()).filter(({ name }: { name: string }) => name.startsWith('Big'));
      const plant = listed.find(({ name }: { name: string }) => name === 'Big 3');
      await client.rename(plant, 'Big 3, renamed', await client.readVersion(plant));
      // It follows with exactFetch in any case, and so sees what the service has changed.
      for await (const { plants } of changes) {
        const renamed = [...plants.values()].find(({ name }) => name === 'Big 3, renamed');
        if (renamed)
          return {
            listed: listed.map(({ id, name }: { id: string; name: string }) => ({ id, name })),
            renamed: renamed.id,
          };
      }
      return undefined;
    },
    { generator, isExact, demo, plants: [big2, big3] as const },
  );
