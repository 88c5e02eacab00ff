import { forwardClock } from '../../local/process/clock.ts';

/** The clock of all tables and inventories of a test file, as that of the local server: a write ends its millisecond. */
export const presentClock = forwardClock(0, () => undefined);

export const presentTime = presentClock.now;
