/** The script of all pages. Without it, every page shows all that it has. */
import { compareTools } from './compare.ts';
import { addCopyButtons } from './copy.ts';
import { filterMatrix } from './filter.ts';
import { lightColumn } from './light.ts';
import { moveByArrows } from './move.ts';

addCopyButtons();
const matrix = document.querySelector<HTMLElement>('.matrix');
const form = document.querySelector<HTMLFormElement>('.filters');
if (matrix !== null && form !== null) {
  filterMatrix(form, matrix, moveByArrows(matrix));
  lightColumn(matrix);
}
const compared = document.querySelector<HTMLElement>('#compared');
const compareData = document.querySelector<HTMLElement>('#compare-data');
if (compared !== null && compareData !== null) compareTools(compared, compareData);
