import { replaceFile } from '../../../typescript/src/replace-file.ts';
import type { CommandCall, OptionSpec } from '../command/command.ts';
import { checkWritable } from '../connection/config.ts';
import type { Exit } from '../core/exit-codes.ts';
import { formatsOfValues } from '../output/output.ts';
import { hasDifferences, planFiles, planOptions, showPlans, tableOptionsOf } from '../files/plans.ts';
import { writtenPlan } from '../files/plan-file.ts';
import { readStateFiles } from '../files/state-file.ts';

export const formats = formatsOfValues;

export const options: readonly OptionSpec[] = [
  ...planOptions,
  { flags: '--detailed', description: 'also print the desired objects with the defaults of their file' },
  { flags: '--out <file>', description: 'write the plan, for apply' },
];

export async function run({ options: given, output, connect, world }: CommandCall): Promise<Exit | undefined> {
  const out = given.text('out');
  if (out !== undefined) checkWritable(out);
  const files = await readStateFiles(given.all('file'), world, tableOptionsOf(given));
  const plans = await planFiles(await connect(), files, given, world.signal);
  if (given.flag('detailed')) {
    const { stringify } = await import('yaml');
    for (const { request } of plans) world.err(stringify(request));
  }
  await showPlans(plans, output);
  if (out !== undefined) replaceFile(out, writtenPlan(plans));
  if (plans.some(({ plan }) => plan.refusal !== undefined || plan.blocked > 0)) return 'partial';
  return plans.some(hasDifferences) ? 'differs' : undefined;
}
