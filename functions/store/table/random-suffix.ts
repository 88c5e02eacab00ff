import { randomBytes } from 'node:crypto';

/** Six letters and digits that distinguish events of the same millisecond. */
export const newTransactionName = () => randomBytes(4).readUInt32BE().toString(36).slice(-6).padStart(6, '0');
