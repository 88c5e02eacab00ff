import { cancelReconciliation, getReconciliation } from '../../../typescript/src/generated/operations.ts';
import type { Reconciliation } from '../../../typescript/src/generated/types.ts';
import type { Action, CommandCall } from '../command/command.ts';
import { requiredArgument } from '../command/required-argument.ts';
import type { Exit } from '../core/exit-codes.ts';
import { itemName } from '../files/plans.ts';
import { untilTrue } from '../command/polling.ts';
import { fieldsOf } from '../core/values.ts';

async function show({ output, world }: CommandCall, job: Reconciliation): Promise<Exit | undefined> {
  await output.object(fieldsOf(job), { columns: ['plan_id', 'state'] });
  for (const { item, message } of job.failures) world.err(`${itemName(item)}: ${message}\n`);
  return job.state === 'stopped' || job.failures.length > 0 ? 'partial' : undefined;
}

const idOf = (call: CommandCall) => ({ plan_id: requiredArgument(call) });

export const get: Action = {
  run: async (call) => show(call, await getReconciliation(await call.connect(), idOf(call))),
};

export const wait: Action = {
  isWaiting: true,
  run: async (call) => {
    const client = await call.connect();
    const job = await untilTrue(call, async (signal) => {
      const reconciliation = await getReconciliation(client, idOf(call), { signal });
      return reconciliation.state === 'applying' ? undefined : reconciliation;
    });
    return show(call, job);
  },
};

export const cancel: Action = {
  run: async (call) => show(call, await cancelReconciliation(await call.connect(), idOf(call))),
};
