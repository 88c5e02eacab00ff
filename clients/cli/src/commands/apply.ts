import { applyPlan } from '../../../typescript/src/flows/plan.ts';
import { reconcile } from '../../../typescript/src/generated/operations.ts';
import type { ReconcilePlan } from '../../../typescript/src/generated/types.ts';
import type { Client } from '../../../typescript/src/operation.ts';
import type { CommandCall, OptionSpec } from '../command.ts';
import { confirm } from '../confirm.ts';
import { CommandError, type Exit } from '../exit-codes.ts';
import { readPlan, type ReviewedPlan } from '../plan-file.ts';
import { filesOption, hasDifferences, planFiles, removalsOption, showPlans } from '../plans.ts';
import { readStateFiles } from '../state-file.ts';

export const options: readonly OptionSpec[] = [
  filesOption,
  removalsOption,
  { flags: '-y, --yes', description: 'do not ask' },
  {
    flags: '--on-blocked <what>',
    description: 'if items are blocked: apply nothing (fail, the default), or the rest (continue)',
    words: ['fail', 'continue'],
  },
];

/** Applies a reviewed plan; the server refuses with 412 if another one is needed. */
async function* applyReviewed(client: Client, { request, digest }: ReviewedPlan, signal: AbortSignal) {
  // Without the signal: only its reply contains the id that a cancellation needs.
  const progress = await reconcile(client, { ...request, mode: 'apply', plan_digest: digest });
  yield progress;
  if (progress.state === 'applying') yield* applyPlan(client, progress, { signal });
}

type Progress = AsyncGenerator<ReconcilePlan, void, void>;

/** Waits for the end, and says how it ended. */
async function follow(
  file: string,
  progress: Progress,
  { output, options: given, world }: CommandCall,
): Promise<boolean> {
  let last: ReconcilePlan | undefined;
  for await (last of progress) {
    const { state, progress: count } = last;
    if (!given.flag('quiet')) world.err(`${file}: ${state}, ${count.done} of ${count.total}\n`);
  }
  if (last === undefined) return true;
  const { state, refusal, blocked, progress: count } = last;
  for (const {
    kind,
    node_name: node,
    service_name: service,
    agent_type: type,
    outcome,
    error,
    blocked: why,
  } of last.items)
    if (outcome === 'failed' || why !== undefined)
      world.err(`${file}: ${kind} ${node ?? service ?? type ?? ''}: ${why ?? error?.message ?? 'failed'}\n`);
  if (refusal !== undefined) world.err(`${file}: ${refusal}\n`);
  const result = { file, state, ...count, blocked };
  if (output.isForPeople)
    output.line(`${file}: ${state}, ${count.done} of ${count.total} done, ${count.failed} failed, ${blocked} blocked.`);
  else await output.value(result);
  return state === 'done' && count.failed === 0 && blocked === 0 && refusal === undefined;
}

export const isOrderly = true;

export async function run(call: CommandCall): Promise<Exit | undefined> {
  const {
    args: [planFile],
    options: given,
    output,
    connect,
    world,
  } = call;
  if ((planFile === undefined) === (given.all('file').length === 0))
    throw new CommandError('Give a plan file, or -f PATH.');
  const { signal } = world;
  let isComplete = true;
  if (planFile !== undefined) {
    const reviewed = await readPlan(planFile);
    const client = await connect();
    for (const one of reviewed)
      isComplete = (await follow(one.file, applyReviewed(client, one, signal), call)) && isComplete;
    return isComplete ? undefined : 'partial';
  }
  const files = await readStateFiles(given.all('file'));
  const client = await connect();
  const plans = await planFiles(client, files, given, signal);
  if (output.isForPeople) await showPlans(plans, output);
  const isStopped = plans.some(
    ({ plan }) => plan.refusal !== undefined || (plan.blocked > 0 && given.text('onBlocked') !== 'continue'),
  );
  if (isStopped) throw new CommandError('Items are blocked or refused: nothing was changed.', 'partial');
  if (plans.some(hasDifferences)) await confirm('Apply?', call);
  for (const one of plans) {
    isComplete = (await follow(one.file, applyPlan(client, one.plan, { signal }), call)) && isComplete;
    if (one.plan.blocked > 0) isComplete = false;
  }
  return isComplete ? undefined : 'partial';
}
