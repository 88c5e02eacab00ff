import { restoreRemoved } from '../../../typescript/src/generated/operations.ts';
import type { CommandCall } from '../command/command.ts';
import type { Exit } from '../core/exit-codes.ts';

export async function run({ args, output, connect }: CommandCall): Promise<Exit | undefined> {
  const { restored, not_restored: rest } = await restoreRemoved(await connect(), { removal_id: args[0] ?? '' });
  const rows = [
    ...restored.map((object) => ({ ...object, result: 'restored' })),
    ...rest.map(({ message, ...object }) => ({ ...object, result: message })),
  ];
  await output.list(rows, { columns: ['kind', 'name', 'id', 'result'] });
  return rest.length > 0 ? 'partial' : undefined;
}
