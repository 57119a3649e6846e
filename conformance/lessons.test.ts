/** The page of the lessons in a real browser: exercises are done in it, commands are copied from it, and its code fits each screen. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { withoutBlocks } from '../docs/pages/lesson-page.ts';
import { lessons } from '../docs/pages/lessons.ts';
import { stepsOf } from '../docs/pages/session.ts';
import { applyEdit } from '../tests/support/edit.ts';
import { read } from '../tests/support/project/imports.ts';
import { eventually } from '../tests/support/until.ts';
import { checkScreen, screens, tabTo } from './console-page.ts';
import { inChromium, useBrowser, useDemo } from './in-chromium.ts';

const lesson = read('openapi/lesson.yaml');

/** The document with the edits of the solution on the page of a lesson. */
const solutionOf = (file: string): string =>
  stepsOf(withoutBlocks(read(`docs/learn/${file}`)), 2)
    .filter(({ kind }) => kind === 'edit')
    .reduce((text, { text: edit }) => applyEdit(text, edit), lesson);

/** The section of the page. */
const idOf = (file: string): string => file.replace('.md', '').toLowerCase();

inChromium('in Chromium, the lessons', () => {
  const browser = useBrowser();
  const demo = useDemo();

  /** Opens the page at a lesson. It fails if the page asks another host, or has an error. */
  const openLessons = async (file: string, options: Parameters<typeof browser.newPage>[0] = {}) => {
    const page = await browser.newPage(options);
    const problems: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(demo.url) && !request.url().startsWith('data:')) problems.push(request.url());
    });
    page.on('console', (message) => problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(`${error}`));
    const id = idOf(file);
    await page.goto(`${demo.url}/lessons#${id}`);
    return {
      page,
      section: page.locator(`[id="${id}"]`),
      [Symbol.asyncDispose]: async () => {
        await page.close();
        expect(problems).toEqual([]);
      },
    };
  };
  const answerOf = (section: Locator): Promise<string | null> => section.locator('output').textContent();
  const expectAnswer = (section: Locator, ...lines: readonly string[]): Promise<void> =>
    eventually(async () => {
      const answer = await answerOf(section);
      for (const line of lines) expect(answer).toContain(line);
    });

  test('an exercise is done in the page: what is wrong is said in words, a right edit is done, and it can begin again', async () => {
    await using opened = await openLessons('02-null.md');
    const { page, section } = opened;
    await section.getByRole('button', { name: 'Do it here' }).click();
    const editor = section.getByRole('textbox', { name: 'lesson.yaml, for the exercise of lesson 2' });
    await eventually(async () => expect(await editor.inputValue()).toBe(lesson));
    // The part of the lesson is in view.
    expect(Math.round(await linesAbove(page))).toBe(lineOfLesson2 - 2);
    const check = section.getByRole('button', { name: 'Check' });
    await check.click();
    await expectAnswer(section, '✗ A time matches wateredAt in PlantPatch', 'Hint: The type is a list of two names.');
    const [property] = /\n {8}tag:[^\n]*\n/.exec(lesson.slice(lesson.indexOf('    PlantPatch:'))) ?? [];
    expect(property).toBeString();
    const withTime = (type: string): string => {
      const at = lesson.indexOf(`${property}`, lesson.indexOf('    PlantPatch:'));
      return `${lesson.slice(0, at)}\n        wateredAt: {type: ${type}, format: date-time}${lesson.slice(at)}`;
    };
    await editor.fill(withTime('[string, null]'));
    await check.click();
    await expectAnswer(section, '✗', 'has null without quotes');
    await editor.fill(withTime('string'));
    await check.click();
    await expectAnswer(section, '✓ A time matches wateredAt in PlantPatch', '✗ `null` matches wateredAt');
    await editor.fill(withTime("[string, 'null']"));
    await check.click();
    await expectAnswer(section, '✓ `null` matches wateredAt', 'Lesson 2 is done.');
    expect(await answerOf(section)).not.toContain('✗');
    await section.getByRole('button', { name: 'Start again' }).click();
    expect(await editor.inputValue()).toBe(lesson);
    expect(await answerOf(section)).toBe('');
  });

  test('each exercise is done in the page by its solution', async () => {
    await using opened = await openLessons('README.md');
    for (const [index, { file }] of lessons.entries()) {
      const section = opened.page.locator(`[id="${idOf(file)}"]`);
      await section.getByRole('button', { name: 'Do it here' }).click();
      await section.getByRole('textbox').fill(solutionOf(file));
      await section.getByRole('button', { name: 'Check' }).click();
      await expectAnswer(section, `Lesson ${index + 1} is done.`);
      expect(await section.locator('output .bad').count()).toBe(0);
    }
  });

  test('a keyboard is enough to do an exercise, and the next lesson is a link away', async () => {
    await using opened = await openLessons('09-one-of.md');
    const { page, section } = opened;
    await section.getByRole('button', { name: 'Do it here' }).focus();
    await page.keyboard.press('Enter');
    const editor = section.getByRole('textbox');
    await editor.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Tab');
    await tabTo(page, /^Check$/);
    await page.keyboard.press('Enter');
    await expectAnswer(section, '✗', 'Hint: ');
    await section.getByRole('link', { name: 'Large integers' }).focus();
    await page.keyboard.press('Enter');
    await eventually(async () => expect(page.url()).toEndWith('/lessons#10-int64'));
  });

  test('a command is copied as it is shown, with the address of the page', async () => {
    await using opened = await openLessons('README.md', { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page, section } = opened;
    const block = section.locator('pre').filter({ hasText: '/__demo/reset' });
    await block.getByRole('button').click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe(`curl -sS -X POST ${demo.url}/__demo/reset -H "Authorization: Bearer $TOKEN"\n`);
    expect(await section.textContent()).not.toContain('127.0.0.1:3000');
  });

  test.each(screens)(
    'no code is wider than a %s screen of %d pixels, and an exercise in progress has no violation of axe',
    async (colorScheme, width) => {
      await using opened = await openLessons('02-null.md', { viewport: { width, height: 900 } });
      const { page, section } = opened;
      await section.getByRole('button', { name: 'Do it here' }).click();
      await section.getByRole('button', { name: 'Check' }).click();
      await expectAnswer(section, '✗');
      await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
      expect(await scrolled(page)).toEqual([]);
      // Longer lines wrap on a small screen, so that there are more of them.
      const above = await linesAbove(page);
      if (width < 600) expect(above).toBeGreaterThan(1.2 * lineOfLesson2);
      else expect(Math.round(above)).toBe(lineOfLesson2 - 2);
      // The whole page is longer than a picture can be.
      await checkScreen(page, 'lessons', colorScheme, width, { fullPage: false });
    },
  );

  test('on a projector with letters of 36 pixels no code is wider than the page', async () => {
    await using opened = await openLessons('06-webhooks.md', { viewport: { width: 1920, height: 1080 } });
    const { page, section } = opened;
    await page.evaluate("document.documentElement.style.fontSize = '36px'");
    await section.getByRole('button', { name: 'Do it here' }).click();
    await section.getByRole('button', { name: 'Check' }).click();
    await expectAnswer(section, '✗');
    expect(await scrolled(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1920);
    await section.scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(import.meta.dir, 'generated', 'lessons-projector.png') });
  });
});

const lineOfLesson2 = lesson.slice(0, lesson.indexOf('# Lesson 2:')).split('\n').length;

/** How many lines of the text area are above what it shows. */
const linesAbove = (page: Page): Promise<number> =>
  page.evaluate(
    "((one) => one.scrollTop / parseFloat(getComputedStyle(one).lineHeight))(document.querySelector('textarea'))",
  );

/** The beginning of each code that is wider than its place. */
const scrolled = (page: Page): Promise<readonly string[]> =>
  page.evaluate(
    "[...document.querySelectorAll('pre, textarea, output')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => (one.value ?? one.textContent).slice(0, 60))",
  );
