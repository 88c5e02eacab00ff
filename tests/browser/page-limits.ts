/** What is promised of every page. */
export const pageLimits = {
  /** On the wire until the first paint of the log-in page. */
  loginBytes: 103_000,
  /** On the wire until the page is complete. */
  pageBytes: 660_000,
  /** Cumulative layout shift: https://web.dev/articles/cls */
  shift: 0.05,
} as const;
