import { batch } from '../../../../typescript/src/flows/batch.ts';
import type { BatchOperation, BatchResult } from '../../../../typescript/src/generated/types.ts';
import type { Client } from '../../../../typescript/src/operation.ts';
import { idsIn } from '../../objects/names.ts';
import { type Fields, isFields } from '../../core/values.ts';
import { type Inventory, isUnderProcess, keyOf, kindIn, readInventory, targetNames } from './inventory.ts';
import type { ListName, ObjectTable } from './object-rows.ts';
import { processKey, type Step, stepsOf } from './steps.ts';
import type { TableRow } from './table.ts';

/** A row that the server has refused. */
export interface RefusedRow {
  row: TableRow;
  /** `hosts.csv:3:5 node db-1`. */
  place: string;
  message: string;
}

export interface TableReport {
  totals: { added: number; changed: number; unchanged: number; refused: number };
  refused: RefusedRow[];
}

/** The id of an object, or the label of the operation that adds it. */
type IdOf = (list: ListName, key: string) => string;

/** The fields with the ids of other objects in the place of their names. */
function withIds(fields: Fields, object: Fields, idOf: IdOf): Fields {
  const { node_names: nodes, runs_on_node_name: _, insights, ...rest } = fields;
  const [place] = idsIn(fields['runs_on_node_name']);
  const ids = (list: ListName, names: readonly string[]) => names.map((name) => idOf(list, name));
  const targets = targetNames(fields);
  return {
    ...rest,
    ...(Array.isArray(nodes) ? { node_ids: ids('nodes', nodes.map(String)) } : {}),
    ...(isFields(insights)
      ? {
          insights: { node_ids: ids('nodes', targets.node_names), service_ids: ids('services', targets.service_names) },
        }
      : {}),
    ...(place === undefined
      ? {}
      : isUnderProcess(object)
        ? { pmm_agent_id: idOf('agents', processKey(place)) }
        : { runs_on_node_id: idOf('nodes', place) }),
  };
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const isOperation = (value: Fields): value is Fields & BatchOperation => typeof value['op'] === 'string';

function operationsFor(steps: readonly Step[], inventory: Inventory): BatchOperation[] {
  const labels = new Map<string, string>();
  const idOf: IdOf = (list, key) => labels.get(`${list} ${key}`) ?? inventory[list].get(key)?.id ?? key;
  const operations = steps.map(({ list, old, object, change }, index): Fields => {
    const body = withIds(change, object, idOf);
    const noun = capital(kindIn(list));
    // Its values were read: somebody else may have changed them.
    if (old !== undefined) return { op: `change${noun}`, id: old.id, if_match: old.revision, body };
    labels.set(`${list} ${keyOf(list, object)}`, `$row${index}`);
    return { op: `add${noun}`, ref: `row${index}`, body };
  });
  return operations.filter(isOperation);
}

/** The object of a step as people name it. */
const nameOf = ({ list, object }: Step) =>
  `${kindIn(list)} ${String(object[`${kindIn(list)}_name`] ?? object['agent_type'])}`;

function refusedRow(step: Step, { error }: BatchResult): RefusedRow {
  const fields = (error?.details ?? []).map(({ field, message }) => [field.replace(/^.*body\./, ''), message] as const);
  const [first] = fields;
  const { row } = step;
  return {
    row: row.row,
    place: `${row.placeOf(first?.[0] ?? '')} ${nameOf(step)}`,
    message: fields.length === 0 ? (error?.message ?? 'refused') : fields.map((field) => field.join(': ')).join(' '),
  };
}

/**
 * Adds the objects of tables, and changes those that exist in the fields that their rows give. Nothing is removed.
 *
 * @param isDry only reports; nothing is sent that can write.
 * @throws FileError if a row cannot be imported. Nothing is done then.
 */
export async function importTables(
  client: Client,
  tables: readonly ObjectTable[],
  { isDry, signal }: { isDry: boolean; signal: AbortSignal },
): Promise<TableReport> {
  const used = new Set(tables.map(({ list }) => list));
  const last = used.has('agents') ? 'agents' : used.has('services') ? 'services' : 'nodes';
  const inventory = await readInventory(client, last);
  const steps = stepsOf(tables, inventory);
  const work = steps.filter(({ change }) => Object.keys(change).length > 0);
  const results = isDry ? [] : await batch(client, operationsFor(work, inventory), { signal });
  const isDone = (index: number) => isDry || (results[index]?.status ?? 0) < 300;
  const refused = work.flatMap((step, index) => {
    const result = results[index];
    return isDone(index) || result === undefined ? [] : [refusedRow(step, result)];
  });
  const done = work.filter((_, index) => isDone(index));
  const added = done.filter(({ old }) => old === undefined).length;
  return {
    totals: {
      added,
      changed: done.length - added,
      unchanged: steps.length - work.length,
      refused: refused.length,
    },
    refused,
  };
}
