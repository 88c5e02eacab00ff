import type { Client } from '../../../typescript/src/operation.ts';
import type { lists } from '../generated/lists.ts';
import { kindOf, layoutOf, namesById } from './objects.ts';
import type { Output } from '../output/output.ts';
import type { Fields } from '../core/values.ts';

/** Columns for which the names of other objects are read. */
const named = ['agent', 'insights', ...namesById.values()];

/** The objects as a table shows them: agents with their titles, and all with the names of other objects. */
export async function shownObjects(
  client: Client,
  items: keyof typeof lists,
  objects: readonly Fields[],
  output: Output,
): Promise<readonly Fields[]> {
  const isShown = output.isTable && kindOf(items) !== undefined && items !== 'nodes';
  if (!isShown || !named.some((column) => output.shows(column, layoutOf(items)))) return objects;
  return (await import('./agents.ts')).withReadNames(client, objects);
}
