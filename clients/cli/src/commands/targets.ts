import { discoverTargets } from '../../../typescript/src/generated/operations.ts';
import type { CommandCall, OptionSpec } from '../command/command.ts';
import { formats as allFormats } from '../output/output.ts';

export const formats = allFormats.filter((format) => format !== 'name');

export const options: readonly OptionSpec[] = [
  { flags: '-l, --selector <selector>', description: 'only targets with these labels' },
  { flags: '--shard <part>', description: 'one of several parts, such as 0/16' },
  { flags: '--networks <networks>', description: 'only addresses in these networks, separated by commas' },
];

export async function run({ options: given, output, connect }: CommandCall): Promise<undefined> {
  const [selector, shard, networks] = ['selector', 'shard', 'networks'].map((name) => given.text(name));
  const groups = await discoverTargets(await connect(), { selector, shard, networks });
  // The format of file_sd_configs.
  if (!output.isTable) await output.value(groups);
  else
    await output.list(
      groups.map(({ targets, labels }) => ({ targets, job: labels['job'], labels })),
      { columns: ['targets', 'job'], wide: ['targets', 'job', 'labels'] },
    );
}
