/** A button that copies, for each block that is made to be copied. */
export const addCopyButtons = (): void => {
  for (const block of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    linkToThisHost(block);
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.ariaLabel = `Copy ${block.dataset['copy']}`;
    const said = document.createElement('span');
    said.role = 'status';
    said.className = 'said';
    button.addEventListener('click', async () => {
      said.textContent = (await copy(block)) ? 'Copied' : 'Selected: copy it with the keyboard';
      setTimeout(() => said.replaceChildren(), 4000);
    });
    const bar = document.createElement('div');
    bar.className = 'copy';
    bar.append(said, button);
    block.before(bar);
  }
};

/** Browsers have a clipboard only for https, localhost and files. Elsewhere, the text is selected. */
const copy = async (block: HTMLElement): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(block.textContent ?? '');
    return true;
  } catch {
    getSelection()?.selectAllChildren(block);
    return false;
  }
};

/** On a host, the text to embed a badge has its whole address. */
const linkToThisHost = (block: HTMLElement): void => {
  const { badge } = block.dataset;
  if (badge === undefined || !location.protocol.startsWith('http')) return;
  block.textContent = (block.textContent ?? '').replace(badge, new URL(badge, location.href).href);
};
