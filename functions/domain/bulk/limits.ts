/**
 * A Lambda takes 6 MB, and the body is a text in there: quotes and line ends of its own are escaped once more, which may
 * double it. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const MAX_BULK_BYTES = 2 * 1024 * 1024;

/** Of a reply, escaped: the same 6 MB, with room for the envelope. */
export const MAX_REPLY_BYTES = 5_000_000;

/** From the start of a request: later, nothing more is begun. */
export const LAST_BEGIN_MS = 18_000;

/** From the start of a request: what is not done by then is given up, so that what was done is told in time. */
export const LAST_END_MS = 20_000;

/** What is done at the same time, of what does not depend on one another. */
export const AT_ONCE = 8;
