import { InventoryError } from '../../../typescript/src/error.ts';
import { applyPlan } from '../../../typescript/src/flows/plan.ts';
import { getReconciliation, reconcile } from '../../../typescript/src/generated/operations.ts';
import type { ReconcilePlan } from '../../../typescript/src/generated/types.ts';
import type { Client } from '../../../typescript/src/operation.ts';
import type { CommandCall, OptionSpec } from '../command/command.ts';
import { confirm } from '../command/confirm.ts';
import { CommandError, type Exit } from '../core/exit-codes.ts';
import { formatsOfValues } from '../output/output.ts';
import { readPlan, type ReviewedPlan } from '../files/plan-file.ts';
import { hasDifferences, itemName, planFiles, planOptions, showPlans, tableOptionsOf } from '../files/plans.ts';
import { type StateFile } from '../files/desired-state.ts';
import { readStateFiles } from '../files/state-file.ts';

export const formats = formatsOfValues;

export const options: readonly OptionSpec[] = [
  ...planOptions,
  { flags: '-y, --yes', description: 'do not ask' },
  { flags: '--wait', description: 'wait for the end (default)' },
  { flags: '--no-wait', description: 'print the id of the job instead of waiting for its end' },
  {
    flags: '--on-blocked <what>',
    description: 'if items are blocked: apply nothing (fail, the default), or the rest (continue)',
    words: ['fail', 'continue'],
  },
];

type Progress = AsyncGenerator<ReconcilePlan, void, void>;

/** Applies a reviewed plan; the server refuses with 412 if another one is needed. */
async function* applyReviewed(client: Client, { request, digest }: ReviewedPlan, signal: AbortSignal): Progress {
  // Without the signal: only its reply contains the id that a cancellation needs.
  const progress = await reconcile(client, { ...request, mode: 'apply', plan_digest: digest });
  yield progress;
  if (progress.state === 'applying') yield* applyPlan(client, progress, { signal });
}

type Counts = Pick<ReconcilePlan['progress'], 'total' | 'done' | 'failed'>;

const ended = (file: string, state: string, { total, done, failed }: Counts) =>
  `${file}: ${state}, ${done} of ${total} done, ${failed} failed`;

/** Interval at which a cancelled job is read, and how often: less than the time until the process ends. */
const INTERVAL_MS = 250;
const MAX_READS = 16;

/** Says what a cancelled job has done, if possible after its last step has ended. */
async function showCancelled(
  client: Client,
  file: string,
  planId: string,
  { output, world }: CommandCall,
): Promise<void> {
  for (let reads = 1; ; reads += 1) {
    const { state, reason, progress } = await getReconciliation(client, { plan_id: planId });
    const { total, done, failed, skipped } = progress;
    // The worker stores its reason after its last step.
    const isOver = state !== 'cancelled' || reason !== undefined || done + failed + skipped >= total;
    if (isOver || reads === MAX_READS) {
      output.line(`${ended(file, state, progress)}.`);
      return;
    }
    await world.clock.pause(INTERVAL_MS);
  }
}

/** Names failed and blocked items. */
function showProblems(file: string, { items, refusal }: ReconcilePlan, { world }: CommandCall): void {
  for (const item of items)
    if (item.outcome === 'failed' || item.blocked !== undefined)
      world.err(`${file}: ${itemName(item)}: ${item.blocked ?? item.error?.message ?? 'failed'}\n`);
  if (refusal !== undefined) world.err(`${file}: ${refusal}\n`);
}

/** Shows the progress until the end. @returns the last reply; undefined if nothing was to be done. */
async function lastOf(
  client: Client,
  file: string,
  progress: Progress,
  call: CommandCall,
  digest: string | undefined,
): Promise<ReconcilePlan | undefined> {
  const { options: given, world } = call;
  let last: ReconcilePlan | undefined;
  let planId = digest;
  const leave = () =>
    world.err(
      planId === undefined
        ? `The server may go on. To see the result, apply ${file} again.\n`
        : `The server may go on: inventory job wait ${planId}\n`,
    );
  world.leaving.addEventListener('abort', leave);
  try {
    for await (last of progress) {
      const { state, progress: count } = last;
      planId = last.plan_id ?? planId;
      if (!given.flag('quiet')) world.err(`${file}: ${state}, ${count.done} of ${count.total}\n`);
      if (state === 'applying' && given.isOff('wait')) break;
    }
  } catch (error) {
    if (world.signal.aborted && planId !== undefined) await showCancelled(client, file, planId, call).catch(leave);
    throw error;
  } finally {
    world.leaving.removeEventListener('abort', leave);
  }
  return last;
}

/** Waits for the end, and says how it ended. @returns false if items were not done. */
async function follow(
  client: Client,
  file: string,
  progress: Progress,
  call: CommandCall,
  digest?: string,
): Promise<boolean> {
  const { output } = call;
  const last = await lastOf(client, file, progress, call, digest);
  if (last === undefined) return true;
  const { state, refusal, blocked, progress: count, plan_id: planId } = last;
  showProblems(file, last, call);
  if (!output.isForPeople) await output.value({ file, state, ...count, blocked, plan_id: planId });
  else output.line(`${ended(file, state, count)}, ${blocked} blocked.`);
  if (state === 'applying') {
    if (output.isForPeople) output.line(`inventory job wait ${planId ?? ''}`);
    return true;
  }
  return state === 'done' && count.failed === 0 && blocked === 0 && refusal === undefined;
}

/** Plans of one command, at most: the inventory can change while it is planned and shown. */
const MAX_PLANS = 5;

/** Whether the plan was refused because the inventory has changed since. */
const isOutdated = (error: unknown) => error instanceof InventoryError && error.http === 412;

async function applyFiles(call: CommandCall): Promise<boolean> {
  const files = await readStateFiles(call.options.all('file'), call.world, tableOptionsOf(call.options));
  const client = await call.connect();
  for (let attempt = 1; ; attempt += 1)
    try {
      return await planAndApply(client, files, call);
    } catch (error) {
      if (!isOutdated(error) || attempt === MAX_PLANS) throw error;
      call.world.err('The inventory has changed since the plan. A new plan follows.\n');
    }
}

/** @throws InventoryError 412 if the inventory has changed since the plan; what the plan contains is not done then. */
async function planAndApply(client: Client, files: readonly StateFile[], call: CommandCall): Promise<boolean> {
  const { options: given, output, world } = call;
  const { signal } = world;
  const plans = await planFiles(client, files, given, signal);
  if (output.isForPeople) await showPlans(plans, output);
  const isStopped = plans.some(
    ({ plan }) => plan.refusal !== undefined || (plan.blocked > 0 && given.text('onBlocked') !== 'continue'),
  );
  if (isStopped) throw new CommandError('Items are blocked or refused: nothing was changed.', 'partial');
  if (plans.some(hasDifferences)) await confirm('Apply?', call);
  let isComplete = plans.every(({ plan }) => plan.blocked === 0);
  for (const { file, plan } of plans)
    isComplete = (await follow(client, file, applyPlan(client, plan, { signal }), call, plan.plan_id)) && isComplete;
  return isComplete;
}

export const isOrderly = true;

export async function run(call: CommandCall): Promise<Exit | undefined> {
  const {
    args: [planFile],
    options: given,
    connect,
    world,
  } = call;
  if ((planFile === undefined) === (given.all('file').length === 0))
    throw new CommandError('Give a plan file, or -f PATH.');
  if (planFile === undefined) return (await applyFiles(call)) ? undefined : 'partial';
  const reviewed = await readPlan(planFile, world);
  const client = await connect();
  let isComplete = true;
  for (const plan of reviewed)
    isComplete = (await follow(client, plan.file, applyReviewed(client, plan, world.signal), call)) && isComplete;
  return isComplete ? undefined : 'partial';
}
