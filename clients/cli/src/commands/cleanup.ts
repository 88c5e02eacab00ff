import { cleanUp } from '../../../typescript/src/generated/operations.ts';
import type { CommandCall, OptionSpec } from '../command/command.ts';
import type { Exit } from '../core/exit-codes.ts';
import { removalsOf, removalsOption } from '../files/plans.ts';

export const options: readonly OptionSpec[] = [
  { flags: '--dry-run', description: 'list the nodes that are due' },
  removalsOption,
];

export async function run({ options: given, output, connect, world }: CommandCall): Promise<Exit | undefined> {
  const percent = removalsOf(given);
  const isDry = given.flag('dryRun');
  const client = await connect();
  const rows = [];
  let isStopped = false;
  for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
    const reply = await cleanUp(
      client,
      { dry_run: isDry, max_removals_percent: percent, page_token: token },
      { signal: world.signal },
    );
    rows.push(
      ...reply.removed.map((removal) => ({ ...removal, result: 'removed' })),
      ...reply.kept.map(({ reason, ...removal }) => ({ ...removal, result: reason })),
    );
    isStopped = reply.threshold_exceeded;
    token = reply.next_page_token;
  }
  await output.list(rows, { columns: ['node_name', 'result', 'due_since', 'last_seen', 'removal_id'] });
  return isStopped ? 'partial' : undefined;
}
