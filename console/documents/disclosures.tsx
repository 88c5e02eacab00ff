/** The widths of documents.css, from which a part of the page is always open. */
const parts = { '.menu': '(width >= 900px)', '.contents': '(width >= 1280px)' };

/** Opens and closes the menu and the contents as the width of the window wants it, and shows the current page in the menu. */
export function followWidth(): void {
  for (const [selector, width] of Object.entries(parts)) {
    const disclosure = document.querySelector<HTMLDetailsElement>(`${selector} details`);
    if (disclosure === null) continue;
    const wide = matchMedia(width);
    const follow = (): void => {
      disclosure.open = wide.matches;
    };
    wide.addEventListener('change', follow);
    follow();
  }
  const menu = document.querySelector('.menu');
  const current = menu?.querySelector<HTMLElement>('[aria-current]');
  if (menu && current) menu.scrollTop = current.offsetTop - menu.clientHeight / 2;
}
