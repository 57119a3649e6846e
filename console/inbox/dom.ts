/** Elements of the page. Text of messages is only ever set as text, so it cannot become markup. */

type Content = Node | string;

/** An element with these attributes and contents. */
export const create = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...contents: readonly Content[]
): HTMLElementTagNameMap[Name] => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...contents);
  return element;
};

/** The element of the page with this id. */
export const find = (id: string): HTMLElement => {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no #${id}.`);
  return element;
};

/**
 * A text of a message. A character that cannot be seen, or that would reorder others, is shown by its number. The parts are isolated, so the
 * direction of one does not change another.
 */
export const showText = (text: string): DocumentFragment => {
  const shown = document.createDocumentFragment();
  let end = 0;
  for (const { 0: found, index } of text.matchAll(unseen)) {
    shown.append(text.slice(end, index), create('span', { class: 'unseen' }, escapeUnits(found)));
    end = index + found.length;
  }
  shown.append(text.slice(end));
  return shown;
};

/** Those of the Unicode categories Cc, Cf, Zl and Zp, but not line ends and tabs. */
const unseen = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const escapeUnits = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
