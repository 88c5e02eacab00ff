/**
 * Lambda accepts 6 MB, in which the body is a string: its quotes and line ends are escaped, which may double its size.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const MAX_BULK_BYTES = 2 * 1024 * 1024;

/**
 * For the largest desired state. It reaches the function if less than 48 % of its bytes are quotes and line ends. Without
 * indentation they are some 15 %.
 */
export const MAX_RECONCILE_BYTES = 4 * 1024 * 1024;

/** From the start of a request: no part begins later. */
export const LAST_BEGIN_MS = 18_000;

/**
 * From the start of a request: parts that are not finished are abandoned, so that the reply about the others is in
 * time.
 */
export const LAST_END_MS = 20_000;

/** Number of independent operations that run in parallel. */
export const AT_ONCE = 8;
