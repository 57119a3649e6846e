/** src/cli/check/exercises.json: the exercises of docs/learn/exercises.yaml, for the program. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { lessons } from './lessons.ts';

const folder = join(import.meta.dir, '../learn');

export const renderExercises = (): string => {
  const exercises = lessons.map(({ file }, index) => ({ title: titleOf(file), ...exerciseOf(index + 1) }));
  const byNumber = Object.fromEntries(exercises.map((exercise, index) => [index + 1, exercise]));
  return `${JSON.stringify(byNumber, null, 2)}\n`;
};

/** The hint, for the page of the lesson. */
export const hintOf = (file: string): string =>
  exerciseOf(lessons.findIndex((lesson) => lesson.file === file) + 1).hint;

/** The first heading of a page, without the number of the lesson. */
export const titleOf = (file: string): string =>
  /^# (?:\d+\. )?(.*)$/m.exec(readFileSync(join(folder, file), 'utf8'))?.[1] ?? '';

/** Throws if the lesson has none. */
const exerciseOf = (number: number): { readonly hint: string } => {
  const exercise = parse(readFileSync(join(folder, 'exercises.yaml'), 'utf8'))[number];
  if (exercise === undefined) throw new Error(`docs/learn/exercises.yaml has no exercise for lesson ${number}.`);
  return exercise;
};
