import { randomInt } from 'node:crypto';

/** Six letters and digits that distinguish events of the same millisecond. */
export const newTransactionName = () =>
  randomInt(36 ** 6)
    .toString(36)
    .padStart(6, '0');
