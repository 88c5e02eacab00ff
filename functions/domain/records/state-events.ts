/** Interval of the passes that publish changes of states, in minutes. */
export const STATE_EVENTS_MINUTES = 5;

/** How long a pass works. The next one continues. */
export const STATE_EVENTS_WORK_SECONDS = 200;
