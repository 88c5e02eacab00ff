import { getSummary } from '../../../typescript/src/generated/operations.ts';
import type { CommandCall } from '../command/command.ts';
import { states } from '../objects/groups.ts';
import { formatsOfValues } from '../output/output.ts';

const counted = ['nodes', 'services', 'agents', 'clusters'] as const;

export const formats = formatsOfValues;

export async function run({ output, connect, world }: CommandCall): Promise<undefined> {
  const summary = await getSummary(await connect());
  if (!output.isForPeople) {
    await output.value(summary);
    return;
  }
  const totals = counted.map((kind) => ({ kind, total: summary[kind].total, ...summary[kind].by_state }));
  await output.list(totals, { columns: ['kind', 'total', ...states] });
  if (summary.attention.length > 0) {
    output.line('\nattention:');
    const rows = summary.attention.map(({ reason, kind, count, examples, places = [] }) => ({
      reason,
      kind,
      count,
      where: places.map(({ value, count: number }) => `${number} in ${value}`),
      examples: examples.map(({ id, name = id }) => name),
    }));
    await output.list(rows, { columns: ['reason', 'kind', 'count', 'where', 'examples'] });
  }
  if (!summary.complete) world.err('The first count continues: ask again later.\n');
}
