/** A browser opens a file that is dropped beside its field in the place of the page. The page permits a drop only where it takes one. */
export const refuseStrayFiles = (): void => {
  const refuse = (event: DragEvent): void => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'none';
  };
  addEventListener('dragover', refuse);
  addEventListener('drop', refuse);
};
