import type { Table } from '../../../shared/db/table.ts';
import { startTable } from '../../../tests/support/table.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { reconciliationKey } from '../../store/table/keys.ts';
import { continueWith } from './handler.ts';
import { testTime } from '../../../tests/support/test-time.ts';

let table: Table;
let stop: () => Promise<void>;
beforeAll(async () => ({ table, stop } = await startTable()));
afterAll(() => stop());

test('several records of the same job resume it once', async () => {
  let jobs = 0;
  const resume = continueWith(() => {
    jobs += 1;
    return { table, clock: () => testTime() } as Dependencies;
  });
  const record = (planId: string) => {
    const { pk, sk } = reconciliationKey(planId);
    return { eventName: 'MODIFY', dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } } } } as const;
  };
  await resume({ Records: [record('a'), record('b'), record('a')] });
  expect(jobs).toBe(2);
});
