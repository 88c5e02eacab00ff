/** After which the button says again what it does. */
const SAID_MS = 2000;

/** Gives each block of code a button that copies it. */
export function addCopyButtons(): void {
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    const copy = async (): Promise<void> => {
      await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '');
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), SAID_MS);
    };
    button.addEventListener('click', () => {
      copy().catch(() => (button.textContent = 'Not copied'));
    });
    block.append(button);
  }
}
