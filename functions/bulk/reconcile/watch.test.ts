import type { Table } from '../../../shared/db/table.ts';
import { manualClock } from '../../../tests/support/manual-clock.ts';
import { fakeTable } from '../../../tests/support/table.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import type { Reconciliation } from '../../store/jobs/reconciliations.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { watchJob, watchRequest } from './watch.ts';

const actor = { kind: 'api_key' as const, id: 'key', name: 'key' };
const job = { plan_id: 'p', actor, created_at: '2026-05-01T10:00:00.000Z' } as Reconciliation;

/** A table with the job in this state; the credential is valid unless the condition fails. */
function watched(state: () => string, isValid: () => boolean, watchOf = watchJob) {
  let looks = 0;
  const monotonic = manualClock();
  const table: Table = {
    ...fakeTable((command) => {
      if (command === 'TransactWriteCommand') {
        if (isValid()) return {};
        throw new ApiError('unavailable', 'never');
      }
      looks += 1;
      return {
        Item: {
          ...{ caller_id: 'c', actor, request_id: 'r', created_at: job.created_at, parts: 1, ttl: 9_999_999_999 },
          ...{ state: state(), total: 1, done: 0, failed: 0, failures: [] },
        },
      };
    }),
    monotonic,
  };
  const watch = watchOf({ table, clock: () => new Date('2026-05-01T11:00:00Z') } as Dependencies, job);
  return { watch, monotonic, looks: () => looks };
}

test('a job is read every two seconds at most', async () => {
  const { watch, monotonic, looks } = watched(
    () => 'applying',
    () => true,
  );
  for (const [milliseconds, expected] of [
    [0, 1],
    [1999, 1],
    [2000, 2],
    [3999, 2],
    [4000, 3],
  ] as const) {
    monotonic.advance(milliseconds - monotonic.now());
    await watch.look();
    expect([milliseconds, looks(), watch.ending()]).toEqual([milliseconds, expected, undefined]);
  }
});

test('a cancelled job ends and is not read again', async () => {
  const { watch, monotonic, looks } = watched(
    () => 'cancelled',
    () => true,
  );
  await watch.look();
  monotonic.advance(10_000);
  await watch.look();
  expect([watch.ending(), looks()]).toEqual([{ state: 'cancelled', reason: 'The reconciliation was cancelled.' }, 1]);
});

test('a failed read fails the step, and does not end the job', async () => {
  const { watch } = watched(
    () => 'applying',
    () => false,
  );
  await expect(watch.look()).rejects.toMatchObject({ kind: 'unavailable' });
  expect(watch.ending()).toBeUndefined();
});

test('a request checks for a cancellation after two seconds, and checks no credential', async () => {
  const never = () => {
    throw new Error('no transaction is expected');
  };
  const { watch, monotonic, looks } = watched(() => 'cancelled', never, watchRequest);
  await watch.look();
  monotonic.advance(1999);
  await watch.look();
  expect([watch.ending(), looks()]).toEqual([undefined, 0]);
  monotonic.advance(1);
  await watch.look();
  expect([watch.ending()?.state, looks()]).toEqual(['cancelled', 1]);
});
