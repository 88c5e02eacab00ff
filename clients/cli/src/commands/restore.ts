import { restoreRemoved } from '../../../typescript/src/generated/operations.ts';
import type { CommandCall } from '../command/command.ts';
import { requiredArgument } from '../command/required-argument.ts';
import type { Exit } from '../core/exit-codes.ts';

export async function run(call: CommandCall): Promise<Exit | undefined> {
  const { restored, not_restored: rest } = await restoreRemoved(await call.connect(), {
    removal_id: requiredArgument(call),
  });
  const rows = [
    ...restored.map((object) => ({ ...object, result: 'restored' })),
    ...rest.map(({ message, ...object }) => ({ ...object, result: message })),
  ];
  await call.output.list(rows, { columns: ['kind', 'name', 'id', 'result'] });
  return rest.length > 0 ? 'partial' : undefined;
}
