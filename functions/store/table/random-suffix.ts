import { randomBytes } from 'node:crypto';

/** Six letters and digits, to tell apart what happens in the same millisecond. */
export const newTransactionName = () => randomBytes(4).readUInt32BE().toString(36).slice(-6).padStart(6, '0');
