/**
 * Fetches the scripts and styles of the page after the log-in (see build.ts), without running them. Only a hint: browsers
 * that cache nothing, for example without trust in the certificate, load the style sheets again.
 */
export function fetchConsole(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[data-first-page]')) {
    link.href = link.dataset['firstPage'] ?? '';
    link.rel = link.as === 'style' ? 'prefetch' : 'modulepreload';
  }
}
