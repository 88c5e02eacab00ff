import { applyPlan } from '../../../typescript/src/flows/plan.ts';
import { isWrongSetting } from '../../../typescript/src/permanent.ts';
import type { CommandCall, OptionSpec } from '../command/command.ts';
import { CommandError, lineOf } from '../core/exit-codes.ts';
import { KubernetesApi, kubernetesServer, ownNamespace } from '../kubernetes/api.ts';
import { type PodPlan, PodPlanner } from '../kubernetes/desired-pods.ts';
import { type DatabasePods, followPods, type FollowTimers, listPods } from '../kubernetes/follow-pods.ts';
import { whileHolding } from '../kubernetes/lease.ts';
import { syncPods, type SyncTimers } from '../kubernetes/sync.ts';
import { formatsOfValues } from '../output/output.ts';
import { itemName, removalsOf, removalsOption, showPlans } from '../files/plans.ts';

export const formats = formatsOfValues;

export const options: readonly OptionSpec[] = [
  { flags: '--cluster <name>', description: 'name of the cluster of Kubernetes: the value of the label kubernetes' },
  { flags: '--namespace <name>', description: 'only pods of this namespace; default: of all' },
  { flags: '--dry-run', description: 'list the pods once and print the plan; changes nothing' },
  removalsOption,
  { flags: '--lease <name>', description: 'name of the Lease, which one of several replicas holds' },
  { flags: '--lease-namespace <name>', description: 'namespace of the Lease; default: that of this pod' },
  { flags: '--api-server <url>', description: 'address of Kubernetes; default: the cluster of this pod' },
  { flags: '--api-ca <file>', description: 'certificates of authorities of Kubernetes in PEM' },
  {
    flags: '--token-file <file>',
    description: 'token of Kubernetes; default: that of the service account of this pod',
  },
];

/** In milliseconds. */
export interface KubernetesTimers extends FollowTimers, SyncTimers {
  lease: number;
}

export const timers: KubernetesTimers = {
  quiet: 2000,
  longest: 20_000,
  relist: 300_000,
  retry: 1000,
  maxRetry: 30_000,
  lease: 15_000,
};

export const isOrderly = true;

/** Applies a plan, and says how it ended. @returns whether nothing remains to be tried again soon. */
async function apply(
  cluster: string,
  { plan, request }: PodPlan,
  signal: AbortSignal,
  call: CommandCall,
): Promise<boolean> {
  const { connect, output, world } = call;
  const { add, change, remove, blocked, refusal } = plan;
  for (const item of plan.items)
    if (item.blocked !== undefined) world.err(`${cluster}: ${itemName(item)}: ${item.blocked}\n`);
  if (refusal !== undefined) world.err(`${cluster}: ${refusal}\n`);
  if (refusal !== undefined || plan.plan_id === undefined) return true;
  let { state, progress } = plan;
  for await ({ state, progress } of applyPlan(await connect(), plan, { signal })) signal.throwIfAborted();
  const result = { cluster, state, pods: request.desired?.nodes?.length, add, change, remove, blocked, progress };
  if (output.isForPeople)
    output.line(
      `${cluster}: ${state}, ${add} to add, ${change} to change, ${remove} to remove: ${progress.done} done, ${progress.failed} failed.`,
    );
  else output.line(JSON.stringify(result));
  return state === 'done' && progress.failed === 0;
}

export async function run(call: CommandCall): Promise<undefined> {
  return runWith(call, timers);
}

/** The command with other timers. */
export async function runWith(call: CommandCall, times: KubernetesTimers): Promise<undefined> {
  const { options: given, output, connect, world } = call;
  const cluster = given.text('cluster');
  if (cluster === undefined) throw new CommandError('Give a name for the cluster of Kubernetes: --cluster NAME.');
  const namespace = given.text('namespace');
  const warn = (message: string) => world.err(`${message}\n`);
  const api = new KubernetesApi(await kubernetesServer(given, world));
  const client = await connect();
  const planner = () => new PodPlanner({ client, cluster, namespace, maxRemovals: removalsOf(given) });
  const source = { api, namespace, warn };
  if (given.flag('dryRun')) {
    const { pods } = await listPods(source, world.signal);
    const planned = await planner().plan(pods, world.signal);
    await showPlans([{ file: cluster, ...planned }], output);
    return;
  }
  const lease = {
    api,
    namespace: given.text('leaseNamespace') ?? (await ownNamespace()),
    name: given.text('lease') ?? 'inventory-sync-kubernetes',
    duration: times.lease,
    warn,
    clock: world.clock,
  };
  await whileHolding(lease, world.signal, async (signal) => {
    const plans = planner();
    const reconcile = async (pods: DatabasePods) => {
      try {
        return await apply(cluster, await plans.plan(pods, signal), signal, call);
      } catch (error) {
        signal.throwIfAborted();
        if (isWrongSetting(error)) throw error;
        // A server that restarts, a key that is replaced: the next round tries again.
        warn(`${cluster}: ${lineOf(error)}`);
        return false;
      }
    };
    const held = { signal, clock: world.clock };
    await syncPods(followPods(source, times, held), reconcile, times, held);
  });
}
