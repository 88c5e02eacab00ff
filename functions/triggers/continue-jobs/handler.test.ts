import type { Dependencies } from '../../runtime/dependencies.ts';
import { reconciliationKey } from '../../store/table/keys.ts';
import { continueWith } from './handler.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

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
