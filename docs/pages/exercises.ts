/** src/cli/check/exercises.json: the exercises of docs/learn/exercises.yaml, for the program. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { lazy } from '../../src/base/lazy.ts';
import { lessons } from './lessons.ts';

const folder = join(import.meta.dir, '../learn');

export const renderExercises = (): string => {
  const byNumber = Object.fromEntries(
    lessons.map(({ file }, index) => [index + 1, { title: titleOf(file), ...exerciseOf(file) }]),
  );
  return `${JSON.stringify(byNumber, null, 2)}\n`;
};

/** The hint, for the page of the lesson. */
export const hintOf = (file: string): string => exerciseOf(file).hint;

/** The first heading of a page, without the number of the lesson. */
export const titleOf = (file: string): string =>
  /^# (?:\d+\. )?(.*)$/m.exec(readFileSync(join(folder, file), 'utf8'))?.[1] ?? '';

/** Throws if the lesson has none. */
const exerciseOf = (file: string): { readonly hint: string } => {
  const number = lessons.findIndex((lesson) => lesson.file === file) + 1;
  const exercise = exercises()[number];
  if (exercise === undefined) throw new Error(`docs/learn/exercises.yaml has no exercise for lesson ${number}.`);
  return exercise;
};

const exercises = lazy(() => parse(readFileSync(join(folder, 'exercises.yaml'), 'utf8')));
