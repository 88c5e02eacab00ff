/**
 * No round begins after this time: a round takes at most half a minute, and Lambda ends an invocation after 15 minutes.
 */
export const WORK_MS = 600_000;

/** How often the worker checks whether the request that works on a job has ended. */
export const LOOK_MS = 2000;
