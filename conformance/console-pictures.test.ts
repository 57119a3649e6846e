/** Pictures in the console: shown, put by each way of a browser, made to fit, replaced and removed, in two tabs and on a telephone. */
import { beforeEach, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { demoToken } from '../src/tokens/sample.ts';
import { temporaryFolder } from '../tests/support/folder.ts';
import { pngOfBytes } from '../tests/support/pictures/pictures.ts';
import { eventually } from '../tests/support/until.ts';
import { checkScreen, openConsole, screens, tabTo } from './console-page.ts';
import { inChromium, useBrowser, useDemo } from './in-chromium.ts';

inChromium('in Chromium, the pictures of the console', () => {
  const browser = useBrowser();
  const demo = useDemo();
  const { call, send } = demo;
  beforeEach(demo.reset);

  const pathOf = (id: number): string => `/plants/${id}/picture`;
  const bytesOf = async (id: number): Promise<Buffer> => Buffer.from(await (await send('GET', pathOf(id))).bytes());
  const metadataOf = async (id: number) => JSON.parse(await call('GET', `/plants/${id}`)).picture;
  const put = async (id: number, body: Buffer<ArrayBuffer>): Promise<void> => {
    const headers = { authorization: `Bearer ${demoToken}`, 'content-type': 'image/png' };
    expect((await fetch(demo.url + pathOf(id), { method: 'PUT', headers, body })).ok).toBe(true);
  };
  const open = (id: number, options = {}) => openConsole(browser, demo.url, { view: `plants?open=${id}`, ...options });
  const said = (page: Page, words: string) =>
    page.getByRole('status', { name: 'Last action' }).getByText(words).waitFor();
  const panel = (page: Page) => page.getByRole('region', { name: 'Picture', exact: true });
  const field = (page: Page) => panel(page).getByLabel('Drop or paste a picture, or choose one');
  const thumbnail = async (page: Page, id: number): Promise<void> => {
    const row = page.locator(`[data-row="${id}"]`);
    await row.scrollIntoViewIfNeeded();
    await row.getByRole('img', { name: `Picture of plant ${id}` }).waitFor();
  };
  const ready = (page: Page) => eventually(async () => expect(await field(page).isEnabled()).toBe(true));

  /** A picture that the browser draws: random points, which no format makes small, or one colour. */
  const drawn = async (page: Page, width: number, height: number, type: string, kind: 'noise' | 'plain') =>
    Buffer.from(
      await page.evaluate<string>(`(async () => {
        const canvas = new OffscreenCanvas(${width}, ${height});
        const context = canvas.getContext('2d');
        context.fillStyle = 'green';
        context.fillRect(0, 0, ${width}, ${height});
        if ('${kind}' === 'noise') {
          const image = context.getImageData(0, 0, ${width}, ${height});
          for (let row = 0; row < image.data.length; row += 65536) crypto.getRandomValues(image.data.subarray(row, row + 65536));
          for (let index = 3; index < image.data.length; index += 4) image.data[index] = 255;
          context.putImageData(image, 0, 0);
        }
        const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: '${type}' })).arrayBuffer());
        return bytes.toBase64();
      })()`),
      'base64',
    );
  /** Gives the file to the page by an event, as a drop and a paste do. */
  const give = (page: Page, how: 'drop' | 'paste', type: string, bytes: Buffer) =>
    page.evaluate(
      `(() => {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.fromBase64('${bytes.toString('base64')}')], 'a', { type: '${type}' }));
        const init = { bubbles: true, cancelable: true };
        if ('${how}' === 'drop') document.querySelector('.picture').dispatchEvent(new DragEvent('drop', { ...init, dataTransfer: data }));
        else document.body.dispatchEvent(new ClipboardEvent('paste', { ...init, clipboardData: data }));
      })()`,
    );

  test('the list shows the picture of a plant beside its id, and the panel its facts', async () => {
    await using opened = await open(1);
    const { page } = opened;
    await thumbnail(page, 1);
    await panel(page).getByRole('img', { name: 'Picture of plant 1' }).waitFor();
    await panel(page).getByText('PNG, 32 × 32 pixels, 393 bytes').waitFor();
    const download = page.waitForEvent('download');
    await opened.press('Save as a file');
    expect(await Bun.file(`${await (await download).path()}`).bytes()).toEqual(new Uint8Array(await bytesOf(1)));
  });

  test.each(['drop', 'paste', 'choose', 'camera'] as const)(
    'a picture is put by %s, byte for byte, then replaced, and removed',
    async (way) => {
      await using opened = await open(2, way === 'camera' ? { hasTouch: true, isMobile: true } : {});
      const { page, press } = opened;
      const putIt = async (bytes: Buffer): Promise<void> => {
        await ready(page);
        const input = way === 'camera' ? panel(page).getByLabel('Take a picture') : field(page);
        if (way === 'drop' || way === 'paste') await give(page, way, 'image/png', bytes);
        else await input.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: bytes });
        await eventually(async () => expect((await bytesOf(2)).equals(bytes)).toBe(true));
        await panel(page).getByRole('img', { name: 'Picture of plant 2' }).waitFor();
        await thumbnail(page, 2);
      };
      await putIt(await drawn(page, 40, 30, 'image/png', 'noise'));
      await said(page, 'Saved the picture of plant 2.');
      await panel(page).getByText('PNG, 40 × 30 pixels').waitFor();
      await putIt(await drawn(page, 30, 40, 'image/png', 'noise'));
      await panel(page).getByText('PNG, 30 × 40 pixels').waitFor();
      await press('Remove the picture');
      await press('Remove it');
      await said(page, 'Removed the picture of plant 2.');
      expect((await send('GET', pathOf(2))).status).toBe(404);
      await page.locator('[data-row="2"]').getByRole('img').waitFor({ state: 'detached' });
    },
  );

  test('the camera is offered where the pointer is a finger, and opens the one of the back', async () => {
    await using telephone = await open(2, { hasTouch: true, isMobile: true });
    const input = panel(telephone.page).getByLabel('Take a picture');
    await input.waitFor();
    expect(await input.getAttribute('capture')).toBe('environment');
    await using desk = await open(2);
    await field(desk.page).waitFor();
    expect(await panel(desk.page).getByLabel('Take a picture').isVisible()).toBe(false);
  });

  test.each([
    ['too many bytes', 1500, 1200, 'image/png', 'noise'],
    ['too many pixels a side', 9000, 20, 'image/png', 'plain'],
    ['a format that the service does not take', 20, 20, 'image/bmp', 'plain'],
  ] as const)('a picture with %s is drawn again, so that it fits', async (_, width, height, type, kind) => {
    await using opened = await open(2);
    const { page } = opened;
    await ready(page);
    // Chromium writes no BMP.
    const bytes = type === 'image/bmp' ? bmp : await drawn(page, width, height, type, kind);
    await field(page).setInputFiles({ name: 'a', mimeType: type, buffer: bytes });
    await said(page, 'Saved the picture of plant 2.');
    const picture = await metadataOf(2);
    expect(picture.type).toBe('image/webp');
    expect(picture.bytes).toBeLessThanOrEqual(1024 * 1024);
    expect(Math.max(picture.width, picture.height)).toBeLessThanOrEqual(8192);
    await panel(page).getByRole('img', { name: 'Picture of plant 2' }).waitFor();
  });

  test('on request, what the camera has noted is removed, and otherwise nothing is', async () => {
    await using opened = await open(2);
    const { page } = opened;
    const jpeg = withNote(await drawn(page, 20, 20, 'image/jpeg', 'plain'));
    for (const isRemoved of [false, true]) {
      await ready(page);
      await panel(page).getByLabel('Remove what the camera has noted in it, such as the place').setChecked(isRemoved);
      await field(page).setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: jpeg });
      await eventually(async () => expect((await metadataOf(2))?.type).toBe(isRemoved ? 'image/webp' : 'image/jpeg'));
      expect((await bytesOf(2)).includes(note)).toBe(!isRemoved);
    }
  });

  test('what is no picture is refused, with a reason, and nothing is sent', async () => {
    await using opened = await open(1);
    const { page } = opened;
    const before = await bytesOf(1);
    for (const [name, type, text, reason] of [
      ['a', 'image/png', '<html>', 'The browser cannot read this file as a picture. Choose a PNG, JPEG or WebP.'],
      ['a', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', 'Save it as PNG.'],
      ['IMG_1.HEIC', 'image/heic', '\0\0\0\x18ftypheic', 'This browser cannot read HEIC. Save the picture as JPEG'],
    ] as const) {
      await ready(page);
      await field(page).setInputFiles({ name, mimeType: type, buffer: Buffer.from(text) });
      await panel(page).getByRole('alert').getByText(reason).waitFor();
    }
    expect((await bytesOf(1)).equals(before)).toBe(true);
  });

  test('a photo that a camera has taken on its side is drawn upright', async () => {
    await using opened = await open(2);
    const { page } = opened;
    await ready(page);
    await panel(page).getByLabel('Remove what the camera has noted in it, such as the place').check();
    const jpeg = onItsSide(await drawn(page, 40, 20, 'image/jpeg', 'plain'));
    await field(page).setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: jpeg });
    await said(page, 'Saved the picture of plant 2.');
    expect(await metadataOf(2)).toMatchObject({ type: 'image/webp', width: 20, height: 40 });
  });

  test('the panel shows that it takes a file, and one that is dropped beside it does not replace the page', async () => {
    using folder = temporaryFolder();
    await using opened = await open(2);
    const { page } = opened;
    await ready(page);
    const file = folder.file('leaf.png');
    await Bun.write(file, await drawn(page, 20, 20, 'image/png', 'noise'));
    const session = await page.context().newCDPSession(page);
    /** As a hand that drags a file over the middle of an element. */
    const drag = async (place: Locator, ...types: readonly ('dragEnter' | 'dragOver' | 'drop')[]): Promise<void> => {
      await place.scrollIntoViewIfNeeded();
      const { x, y, width, height } = (await place.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const data = { items: [], files: [file], dragOperationsMask: 1 };
      const at = { x: x + width / 2, y: y + height / 2, data };
      for (const type of types) await session.send('Input.dispatchDragEvent', { type, ...at });
    };
    const heading = page.getByRole('heading', { name: 'Plants', exact: true });
    const shown = page.locator('.picture.over');
    await drag(field(page), 'dragEnter', 'dragOver');
    await shown.waitFor();
    await drag(heading, 'dragOver');
    await shown.waitFor({ state: 'detached' });
    // A browser without a screen opens no file itself.
    for (const type of ['dragover', 'drop'])
      expect(
        await page.evaluate(
          `[new File(['a'], 'a.txt'), 'text'].map((one) => {
            const dataTransfer = new DataTransfer();
            if (one instanceof File) dataTransfer.items.add(one);
            else dataTransfer.setData('text/plain', one);
            return !document.body.dispatchEvent(new DragEvent('${type}', { dataTransfer, bubbles: true, cancelable: true }));
          })`,
        ),
      ).toEqual([true, false]);
    expect((await send('GET', pathOf(2))).status).toBe(404);
    await drag(field(page), 'dragEnter', 'dragOver', 'drop');
    await said(page, 'Saved the picture of plant 2.');
    await shown.waitFor({ state: 'detached' });
    expect((await bytesOf(2)).equals(Buffer.from(await Bun.file(file).arrayBuffer()))).toBe(true);
  });

  test('what the service refuses is shown in its words, and the next try succeeds', async () => {
    await using opened = await open(2);
    const { page } = opened;
    const png = await drawn(page, 20, 20, 'image/png', 'plain');
    let isFull = true;
    await page.route('**/picture', (route) => {
      if (!isFull || route.request().method() !== 'PUT') return route.continue();
      const json = { error: 50300, message: 'The disk is full.' };
      return route.fulfill({ status: 503, headers: { 'retry-after': '7' }, json });
    });
    await ready(page);
    await give(page, 'paste', 'image/png', png);
    await panel(page).getByRole('alert').getByText('The disk is full. Try again in 7 seconds.').waitFor();
    isFull = false;
    await ready(page);
    await give(page, 'paste', 'image/png', png);
    await said(page, 'Saved the picture of plant 2.');
    expect(await panel(page).getByRole('alert').count()).toBe(0);
  });

  test('a picture that another person changes is shown in all tabs, and one that was not seen is not replaced', async () => {
    await using first = await open(1);
    await using second = await open(1);
    const { page } = second;
    const [theirs, mine] = [
      await drawn(page, 50, 20, 'image/png', 'noise'),
      await drawn(page, 20, 50, 'image/png', 'noise'),
    ];
    await ready(first.page);
    // The second page does not hear of the change.
    await page.route('**/events*', (route) => route.abort());
    await page.reload();
    await ready(page);
    await first.page.bringToFront();
    await put(1, theirs);
    await panel(first.page).getByText('PNG, 50 × 20 pixels').waitFor();
    await first.page.locator('[data-row="1"]').getByText('changed').waitFor();
    await page.bringToFront();
    await give(page, 'drop', 'image/png', mine);
    await panel(page).getByRole('alert').getByText('It was changed in the meantime.').waitFor();
    expect((await bytesOf(1)).equals(theirs)).toBe(true);
    // It is shown now, and the user decides.
    await panel(page).getByText('PNG, 50 × 20 pixels').waitFor();
    await ready(page);
    await give(page, 'drop', 'image/png', mine);
    await said(page, 'Saved the picture of plant 1.');
    expect((await bytesOf(1)).equals(mine)).toBe(true);
  });

  test.each(['one report', 'two reports'] as const)(
    'rows that the user does not see load nothing, a picture is loaded once, and none is asked for without one, with %s of the browser at once',
    async (reports) => {
      const count = 49;
      for (let id = 100; id < 100 + count; id += 1) await call('POST', '/plants', `{"id":${id},"name":"p","tag":"t"}`);
      await using opened = await openConsole(browser, demo.url, { view: 'plants?tag=t' });
      const { page } = opened;
      if (reports === 'two reports') {
        // Before each report comes the opposite of its last entry.
        await page.addInitScript(`IntersectionObserver = class extends IntersectionObserver {
          constructor(use) {
            super((entries) => use([{ isIntersecting: !entries.at(-1).isIntersecting }, ...entries]));
          }
        }`);
        await page.reload();
      }
      const asked: string[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/picture')) asked.push(new URL(request.url()).pathname);
      });
      await page.locator('[data-row="148"]').waitFor();
      expect(asked).toEqual([]);
      const image = (id: number) => page.locator(`[data-row="${id}"]`).getByRole('img');
      // If it loaded that of the last row, it would do so before that of the first one.
      await put(148, await drawn(page, 20, 20, 'image/png', 'noise'));
      await page.locator('[data-row="148"] .thumbnail').waitFor({ state: 'attached' });
      await put(100, await drawn(page, 20, 20, 'image/png', 'noise'));
      await image(100).waitFor();
      expect(asked).toEqual(['/plants/100/picture']);
      await page.locator('[data-row="148"]').scrollIntoViewIfNeeded();
      await image(148).waitFor();
      await page.goto(`${demo.url}/console#plants?tag=giant`);
      await page.locator('[data-row="148"]').waitFor({ state: 'detached' });
      await page.goto(`${demo.url}/console#plants?tag=t`);
      await page.locator('[data-row="148"]').scrollIntoViewIfNeeded();
      await image(148).waitFor();
      expect(asked).toEqual(['/plants/100/picture', '/plants/148/picture']);
    },
  );

  test('a first picture does not replace one that another person has put meanwhile', async () => {
    await using opened = await open(2);
    const { page } = opened;
    const [theirs, mine] = [pngOfBytes(500), pngOfBytes(600)];
    // The page does not hear of the change.
    await page.route('**/events*', (route) => route.abort());
    await page.reload();
    await ready(page);
    await put(2, theirs);
    await give(page, 'drop', 'image/png', mine);
    await panel(page).getByRole('alert').getByText('It was changed in the meantime.').waitFor();
    expect((await bytesOf(2)).equals(theirs)).toBe(true);
  });

  test('a keyboard is enough to put a picture and to remove it', async () => {
    await using opened = await open(2);
    const { page } = opened;
    const chooser = page.waitForEvent('filechooser');
    await ready(page);
    const png = await drawn(page, 20, 20, 'image/png', 'plain');
    await tabTo(page, /^Drop or paste a picture/);
    await page.keyboard.press('Enter');
    await (await chooser).setFiles({ name: 'a.png', mimeType: 'image/png', buffer: png });
    await said(page, 'Saved the picture of plant 2.');
    await panel(page).getByRole('img').waitFor();
    await tabTo(page, /^Remove the picture$/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await said(page, 'Removed the picture of plant 2.');
    // The focus is not lost with the button.
    await page.locator('.picture:focus').waitFor();
  });

  test('before a plant with a picture is deleted, the page says that the picture is lost', async () => {
    await using opened = await openConsole(browser, demo.url);
    const { page, press } = opened;
    await press('Delete plant 1');
    await page.getByRole('dialog').getByText('Its picture cannot be restored.').waitFor();
    await press('Keep it');
    expect((await send('GET', pathOf(1))).status).toBe(200);
    await press('Delete plant 1');
    await press('Delete it');
    await said(page, 'Deleted plant 1.');
    await press('Restore plant 1');
    await said(page, 'Restored plant 1.');
    expect((await send('GET', pathOf(1))).status).toBe(404);
  });

  test.each(screens)(
    'the panel fits a %s screen of %d pixels, without a fault that axe finds',
    async (scheme, width) => {
      await using opened = await open(1, width === 390 ? { hasTouch: true, isMobile: true } : {});
      await panel(opened.page).getByRole('img').waitFor();
      await checkScreen(opened.page, 'console-pictures', scheme, width);
    },
  );
});

const note = 'GPS 48.1 N 11.6 E';

/** A JPEG with a comment behind its first marker, where cameras have their metadata. */
const withNote = (jpeg: Buffer): Buffer => {
  const header = Buffer.from([0xff, 0xfe, 0, note.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), header, Buffer.from(note), jpeg.subarray(2)]);
};

/** A JPEG with the orientation in which a telephone that is held upright takes it (Exif 2.32 §4.6.4: 6). */
const onItsSide = (jpeg: Buffer): Buffer => {
  const exif = Buffer.from('4578696600004d4d002a00000008000101120003000000010006000000000000', 'hex');
  const header = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), header, exif, jpeg.subarray(2)]);
};

/** One red pixel. */
const bmp = Buffer.from('Qk06AAAAAAAAADYAAAAoAAAAAQAAAAEAAAABABgAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAD/AA==', 'base64');
