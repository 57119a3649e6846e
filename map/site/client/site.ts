/** The script of all pages. Without it, every page shows all that it has. */
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
