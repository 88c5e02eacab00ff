/** Gives the links to files of one kind (see build.ts) their address, once. */
function follow(kind: string, rel: string): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>(`link[data-first-page][as=${kind}]:not([rel])`)) {
    link.href = link.dataset['firstPage'] ?? '';
    link.rel = rel;
  }
}

/**
 * Fetches the scripts and styles of the page after the log-in, without running them. Only a hint: browsers that cache
 * nothing, for example without trust in the certificate, load the style sheets again.
 */
export function fetchConsole(): void {
  follow('style', 'prefetch');
  follow('script', 'modulepreload');
}

/** Loads the fonts at the same time as the style sheets that name them. Text moves when its font arrives after it. */
export function preloadFonts(): void {
  follow('font', 'preload');
}
