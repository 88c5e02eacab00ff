import { isWrite, type Table } from '../../shared/db/table.ts';
import { turnOfTheLoop } from './manual-clock.ts';

/** More than a read of the embedded engine takes. */
const TURNS = 4;

/**
 * Lets each write begin late. The embedded engine is so fast that code which does not await a write passes its tests; with
 * late writes a read that follows returns the state before them.
 */
export function delayWrites({ client }: Pick<Table, 'client'>): void {
  client.use((next) => async (call) => {
    if (isWrite(call.operation)) for (let turn = 0; turn < TURNS; turn += 1) await turnOfTheLoop();
    return next(call);
  });
}
