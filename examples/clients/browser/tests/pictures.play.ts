/** Each generated client uploads a picture and downloads it, in both directions byte for byte. */
import { expect, test } from '@playwright/test';
import { demo, reset, send } from '../demos.ts';

/** A double rounds this id to that of another plant, which has no picture. */
const plant = { id: '9007199254740993', name: 'Big 3' };

for (const generator of ['openapi-fetch', 'hey-api', 'orval', 'kubb', 'rtk-query']) {
  test(`${generator} uploads and downloads a picture, byte for byte`, async ({ page }) => {
    const messages: string[] = [];
    page.on('console', (message) => messages.push(message.text()));
    await reset(demo);
    await send(demo, 'POST', '/plants', `{"id":${plant.id},"name":"${plant.name}"}`);
    await page.goto('/clients.html');
    const { uploaded, downloaded, type } = await page.evaluate(exchange, { generator, demo, plant });
    const stored = await (await send(demo, 'GET', `/plants/${plant.id}/picture`)).arrayBuffer();
    expect(uploaded.length).toBeGreaterThan(100_000);
    expect(Buffer.from(uploaded, 'base64').equals(Buffer.from(stored))).toBe(true);
    expect(downloaded === uploaded).toBe(true);
    expect(type).toBe('image/png');
    // Redux would say that its store holds what is no text.
    expect(messages.filter((text) => !text.startsWith('[vite]'))).toEqual([]);
  });
}

/** In the browser. Both pictures are in base64. */
const exchange = async ({ generator, demo, plant }: { generator: string; demo: string; plant: object }) => {
  const { settings } = await import('/clients/settings.ts' as string);
  Object.assign(settings, { url: demo });
  const { client } = await import(`/clients/${generator}.ts`);

  const context = Object.assign(document.createElement('canvas'), { width: 200, height: 200 }).getContext('2d');
  const noise = context?.createImageData(200, 200);
  if (!context || !noise) throw new Error('The browser cannot draw.');
  for (let at = 0; at < noise.data.length; at += 1) noise.data[at] = at % 4 === 3 ? 255 : Math.random() * 256;
  context.putImageData(noise, 0, 0);
  const picture = await new Promise<Blob | null>((resolve) => context.canvas.toBlob(resolve));
  if (!picture) throw new Error('The browser cannot write a PNG.');

  await client.putPicture(plant, picture);
  const received: Blob = await client.getPicture(plant);
  const toBase64 = async (blob: Blob) =>
    (new Uint8Array(await blob.arrayBuffer()) as never as { toBase64(): string }).toBase64();
  return { uploaded: await toBase64(picture), downloaded: await toBase64(received), type: received.type };
};
