/** Asks for the format of an export, and gives the user the file. */
import { send } from '../api/client.ts';
import { ask } from '../parts/question.tsx';
import type { Plant } from '../plants/members.ts';
import { extensions, type Format, mediaTypes, writePlants } from './export-file.ts';
import { saveFile } from './save-file.ts';

const formats: readonly Format[] = ['CSV', 'NDJSON'];

/** Undefined if the user wants none. */
const askFormat = async (title: string): Promise<Format | undefined> => {
  const answers = formats.map((format) => `As ${format}`);
  const answer = await ask({ title, lines: ['The import reads both.'], answers: [...answers, 'Cancel'] });
  return formats[answers.indexOf(answer)];
};

/** The plants that fit the query of a list, from one snapshot of the service. Throws Problem. */
export const exportList = async (token: string, query: URLSearchParams): Promise<void> => {
  const format = await askFormat('Export the plants of the list?');
  if (!format) return;
  const response = await send(token, `export?${query}`, { headers: { accept: mediaTypes[format] } });
  saveFile(`plants.${extensions[format]}`, await response.blob());
};

export const exportPlants = async (plants: readonly Plant[]): Promise<void> => {
  const format = await askFormat('Export the selected plants?');
  if (!format) return;
  saveFile(`plants.${extensions[format]}`, new Blob([writePlants(plants, format)], { type: mediaTypes[format] }));
};
