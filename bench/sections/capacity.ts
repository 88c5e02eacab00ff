import { measureCosts } from '../../tests/costs/measured.ts';
import { table } from '../report.ts';

/** Whole numbers stay whole: halves are halves of a read unit. */
const units = (value: number) => (value === 0 ? '' : String(value));

/** What each request costs at the table; counted, so it is the same on every machine, and tests hold it. */
export async function capacitySection(): Promise<string> {
  const rows = (await measureCosts()).map(({ function: id, request, calls, steps, readUnits, writeUnits }) => [
    id,
    request,
    [...new Set(calls)].map((call) => `${calls.filter((other) => other === call).length} ${call}`).join(', '),
    String(steps),
    units(readUnits),
    units(writeUnits),
  ]);
  return table(['function', 'request', 'calls', 'steps', 'read units', 'write units'], rows);
}
