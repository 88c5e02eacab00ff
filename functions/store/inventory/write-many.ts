import { StaleRead, withPatience } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import { transact } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/http/errors.ts';
import { nodeNameClaim, type ObjectKind, serviceNameClaim } from '../table/keys.ts';
import { inOneGo } from './entities.ts';
import type { Origin } from '../entities/change-origin.ts';
import { newPlan, type Plan, planAdd, planChange, planOpen, planRemoval, stepsOf } from './transaction-plan.ts';
import { linkChanges } from '../entities/links.ts';
import type { Stored } from '../entities/entity.ts';

/** One object as it was read, and as it is to be: added without `old`, removed without `next`. */
export interface Write {
  old?: Stored | undefined;
  next?: Stored | undefined;
}

/** How often a refusal may come from clocks that differ, or from others at the same guards, before something has changed. */
const MAX_STALE = 4;

const stale = () => new StaleRead();

function nameClaimOf({ kind, object }: Stored) {
  if (kind === 'node') return nodeNameClaim(object.node_name);
  return kind === 'service' ? serviceNameClaim(object.service_name) : undefined;
}

function planWrite(plan: Plan, { old, next }: Write): void {
  if (next === undefined) {
    if (old !== undefined) planRemoval(plan, old, stale);
  } else if (old === undefined) planAdd(plan, next, { looked: nameClaimOf(next) });
  else {
    planChange(plan, old, next);
    const { gone, come } = linkChanges(old, next);
    if ([...gone, ...come].some(({ dependency }) => dependency !== undefined)) planOpen(plan, old);
  }
}

const kinds: readonly ObjectKind[] = ['node', 'service', 'agent'];

/** Whoever follows the changes of a transaction one by one meets nothing that refers to what is not there: adds, changes, removals. */
function placeOf({ old, next }: Write): number {
  const kind = kinds.indexOf((next ?? old)?.kind ?? 'node');
  if (next === undefined) return 3 * kinds.length - kind;
  return old === undefined ? kind : kinds.length;
}

/**
 * Writes several objects in one transaction, each at the revision at which it was read. What one gives up (an address, say)
 * another one may take.
 *
 * @throws ApiError `revisionMismatch` when one of them is not as it was read any more, or what was free is taken; what
 *   else the inventory forbids as it comes.
 */
export async function writeTogether(table: Table, writes: readonly Write[], origin: Origin): Promise<void> {
  const inFeedOrder = writes.toSorted((left, right) => placeOf(left) - placeOf(right));
  let refusals = 0;
  await withPatience(async () => {
    const plan = newPlan(origin, { asOne: true });
    for (const write of inFeedOrder) planWrite(plan, write);
    try {
      await transact(table, inOneGo(await stepsOf(table, plan)));
    } catch (error) {
      refusals += error instanceof StaleRead ? 1 : 0;
      if (refusals === MAX_STALE)
        throw new ApiError('revisionMismatch', 'The inventory has changed since it was read.', { cause: error });
      throw error;
    }
  });
}
