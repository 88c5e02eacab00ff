/**
 * Whole seconds since 1970, rounded down. So an end in whole seconds has passed exactly when it is at most
 * `secondsOf(now)`, and is still ahead exactly when it is greater.
 */
export const secondsOf = (time: Date) => Math.floor(time.getTime() / 1000);

/** The end of this number of seconds after a time, in whole seconds since 1970; rounded up, so that nothing ends early. */
export const endAfter = (time: Date, seconds: number) => Math.ceil(time.getTime() / 1000) + seconds;

/** Seconds since 1970 as RFC 3339. */
export const timeText = (seconds: number) => new Date(seconds * 1000).toISOString();

/** Milliseconds since 1970 as RFC 3339. */
export const timeTextOfMs = (milliseconds: number) => new Date(milliseconds).toISOString();
