import { InventoryError } from '../../../typescript/src/error.ts';
import { planScope } from '../../../typescript/src/flows/plan.ts';
import type { ReconcileItem, ReconcilePlan, ReconcileStep } from '../../../typescript/src/generated/types.ts';
import type { Client } from '../../../typescript/src/operation.ts';
import { titleOf } from '../objects/agents.ts';
import type { OptionSpec } from '../command/command.ts';
import { differencesText } from '../output/differences.ts';
import { CommandError, FileError } from '../core/exit-codes.ts';
import type { Options } from '../core/options.ts';
import type { Output } from '../output/output.ts';
import { percentOf } from '../core/values.ts';
import type { StateFile, StateRequest, TableOptions } from './desired-state.ts';

export const defaultOption: OptionSpec = {
  flags: '--default <field=value>',
  description: 'a value of empty cells in CSV, such as type=generic or label.team=dba',
  many: true,
};

export const filesOption: OptionSpec = {
  flags: '-f, --file <path>',
  description: 'a desired-state file in YAML or CSV, or a folder of them; - is the standard input (YAML)',
  many: true,
};

/** Options for what files in CSV do not have. */
export const tableOptions: readonly OptionSpec[] = [
  { flags: '-l, --selector <selector>', description: 'the scope of files in CSV: labels, as in Kubernetes' },
  { flags: '--prefix <text>', description: 'the scope of files in CSV: names with this prefix' },
  defaultOption,
];

/** The scope and the defaults of files in CSV. */
export function tableOptionsOf(options: Options): TableOptions {
  const [selector, prefix] = [options.text('selector'), options.text('prefix')];
  const scope = {
    ...(selector === undefined ? {} : { selector }),
    ...(prefix === undefined ? {} : { name_prefix: prefix }),
  };
  return { ...(Object.keys(scope).length === 0 ? {} : { scope }), defaults: options.all('default') };
}

export const removalsOption: OptionSpec = {
  flags: '--max-removals <percent>',
  description: 'the share of the objects in the scope that may be removed, such as 30%',
};

/** The options of the commands that plan files. */
export const planOptions: readonly OptionSpec[] = [filesOption, ...tableOptions, removalsOption];

export interface FilePlan {
  file: string;
  request: StateRequest;
  plan: ReconcilePlan;
}

/** The removals that are allowed, in percent; undefined without the option. */
export function removalsOf(options: Options): number | undefined {
  const text = options.text('maxRemovals');
  if (text === undefined) return undefined;
  const percent = percentOf(text);
  if (percent === undefined) throw new CommandError(`--max-removals is no share such as 30%: ${text}`);
  return percent;
}

/** An error of the server about the file, with the places in it. */
function placed(error: unknown, { placeOf }: StateFile): unknown {
  if (!(error instanceof InventoryError) || error.details.length === 0) return error;
  return new FileError(error.details.map(({ field, message }) => `${placeOf(field)}: ${message}`).join('\n'));
}

export async function planFiles(
  client: Client,
  files: readonly StateFile[],
  options: Options,
  signal: AbortSignal,
): Promise<FilePlan[]> {
  const percent = removalsOf(options);
  const plans: FilePlan[] = [];
  for (const file of files) {
    const request = { ...file.request, ...(percent === undefined ? {} : { max_removals_percent: percent }) };
    try {
      plans.push({ file: file.path, request, plan: await planScope(client, request, { signal }) });
    } catch (error) {
      throw placed(error, file);
    }
  }
  return plans;
}

export const hasDifferences = ({ plan: { add, change, remove } }: FilePlan) => add + change + remove > 0;

/** The object of an item as people name it: `node db-1`, `agent mysqld_exporter of orders on db-1`. */
export function itemName(item: ReconcileStep): string {
  const { kind, node_name: node, service_name: service, agent_type: type = '', runs_on_node_name: place, id } = item;
  const { node_names: nodes = [], service_names: services = [] } = item.insights ?? {};
  const targets = [...services, ...nodes];
  const isNamed = targets.length > 0 || place !== undefined;
  return `${kind} ${node ?? service ?? (isNamed ? titleOf({ type, targets, place }) : `${type} ${id ?? ''}`.trim())}`;
}

const rowOf = (item: ReconcileItem) => ({
  action: item.blocked === undefined ? item.action : 'blocked',
  object: itemName(item),
  detail: item.blocked ?? item.error?.message ?? differencesText(item.changes ?? []),
});

const countsOf = ({ add, change, remove, unchanged, blocked }: ReconcilePlan) =>
  `${add} to add, ${change} to change, ${remove} to remove, ${unchanged} unchanged${blocked > 0 ? `, ${blocked} blocked` : ''}.`;

/** Shows plans; as Markdown for a comment of a review. */
export async function showPlans(plans: readonly FilePlan[], output: Output): Promise<void> {
  if (!output.isForPeople) {
    await output.value(plans.map(({ file, plan }) => ({ file, ...plan })));
    return;
  }
  for (const { file, plan } of plans) {
    output.line(output.format === 'markdown' ? `### ${file}\n` : `${file}:`);
    if (plan.items.length > 0) {
      await output.list(plan.items.map(rowOf), { columns: ['action', 'object', 'detail'] });
      if (output.format === 'markdown') output.line('');
    }
    if (plan.items_left_out !== undefined) output.line(`${plan.items_left_out} more are not shown.`);
    output.line(`${countsOf(plan)}\n${plan.refusal === undefined ? '' : `${plan.refusal}\n`}`);
  }
}
