import { ApiError } from '../../../shared/core/errors.ts';
import { AT_ONCE } from '../../domain/bulk/limits.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { atPresent, type WriteContext } from '../../store/entities/write-context.ts';
import { conflictKeysOf } from '../../store/entities/derived-items.ts';
import { runInOrder } from '../scheduler.ts';
import type { partsOf } from '../partial-failure.ts';
import type { Step } from './plan/step.ts';
import type { Watch } from './watch.ts';

export type Outcome = 'done' | ApiError;

/**
 * Whether the same request may succeed later: the obstacle is temporary, or another read of the inventory takes it into
 * account.
 */
export function mayPass(outcome: Outcome): boolean {
  return outcome !== 'done' && ['unavailable', 'internal', 'revisionMismatch'].includes(outcome.kind);
}

/** Whether the step may have been done all the same: its reply was lost. */
export const isUncertain = (outcome: Outcome): boolean =>
  outcome !== 'done' && ['unavailable', 'internal'].includes(outcome.kind);

/**
 * Whether the inventory refused the step. The plan expected it to be possible, so another request, or a write of this one
 * whose reply was lost, has changed what the step depends on. Another plan tells whether the step is still necessary.
 */
export const isRefused = (outcome: Outcome): boolean =>
  outcome !== 'done' && ['alreadyExists', 'notFound', 'failedPrecondition'].includes(outcome.kind);

const conflictKeysOfStep = ({ id, old, next, after }: Step): string[] => [
  id,
  ...conflictKeysOf(old),
  ...conflictKeysOf(next),
  ...Array.from(after, (before) => before.id),
];

/** Steps of the same group have no outcome yet. */
function checkBefore(group: readonly Step[], outcomes: ReadonlyMap<Step, Outcome>): void {
  for (const before of group.flatMap(({ after }) => [...after])) {
    const outcome = outcomes.get(before);
    if (outcome === 'done' || outcome === undefined) continue;
    throw mayPass(outcome)
      ? new ApiError('unavailable', 'Not done: an operation that it requires was not done. Send it again.')
      : new ApiError('failedPrecondition', `An operation that it requires failed: ${outcome.message}`);
  }
}

/** @throws ApiError when no further step may begin. */
async function checkWanted(watch: Watch | undefined): Promise<void> {
  await watch?.look();
  const ending = watch?.ending();
  if (ending !== undefined) throw new ApiError('unavailable', `Not done: ${ending.reason}`);
}

/**
 * Performs the steps of a plan, each group in one transaction that keeps the invariants. Groups without a common
 * conflict key run in parallel. A failure prevents only the steps that depend on it.
 */
export async function applyGroups(
  { table }: Dependencies,
  groups: readonly Step[][],
  {
    writeContext,
    part,
    watch,
  }: { writeContext: WriteContext; part: ReturnType<typeof partsOf>; watch?: Watch | undefined },
): Promise<Map<Step, Outcome>> {
  const outcomes = new Map<Step, Outcome>();
  // On demand: most plans have no steps.
  const writing = () => import('../../store/inventory/write-many.ts');
  const run = async (group: readonly Step[]) => {
    const outcome = await part(async () => {
      await checkWanted(watch);
      checkBefore(group, outcomes);
      const { writeAtomically } = await writing();
      await writeAtomically(table, group, atPresent(writeContext));
      return 'done' as const;
    });
    for (const step of group) outcomes.set(step, outcome);
  };
  await runInOrder(
    groups.map((group) => ({ conflictKeys: group.flatMap(conflictKeysOfStep), run: () => run(group) })),
    AT_ONCE,
  );
  return outcomes;
}
