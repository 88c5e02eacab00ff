import { StaleRead } from './contention.ts';

/** The condition that no item with the key exists. */
export const ABSENT = 'attribute_not_exists(pk)';

/** The condition that an item with the key exists. */
export const PRESENT = 'attribute_exists(pk)';

/** The error of a condition on what was read before: the caller reads again. */
export const stale = () => new StaleRead();
