import type { Change } from '../../../typescript/src/generated/types.ts';
import type { Client } from '../../../typescript/src/operation.ts';
import { withTitles } from './agents.ts';
import { differencesBetween, differencesText } from '../output/differences.ts';
import { idsOf, readByIds, readNames, withIdsAs } from './names.ts';
import type { Layout } from '../output/output.ts';
import type { Fields } from '../core/values.ts';

/** The kind of the object of a change: a state is one of a node. */
const kindOf = (kind: unknown) => (kind === 'state' ? 'node' : String(kind));

export const changeLayout: Layout = {
  columns: ['time', 'action', 'object', 'revision', 'actor', 'changes'],
  nameOf: ({ kind, id }) => `${kindOf(kind)}/${String(id)}`,
};

/** Every change has it, and its time is that of the change. */
const withoutTime = ({ updated_at: _, ...rest }: Fields) => rest;

/** Reads the names of the objects of changes, and of those in their values, into the given ones. Agents have their titles. */
async function addNames(client: Client, changes: readonly Change[], names: Map<string, string>): Promise<void> {
  // An add and a removal have the whole object.
  const whole = changes.flatMap(({ action, before, after }) => (action === 'changed' ? [] : [after ?? before ?? {}]));
  for (const object of whole)
    for (const kind of ['node', 'service'])
      if (typeof object[`${kind}_id`] === 'string')
        names.set(String(object[`${kind}_id`]), String(object[`${kind}_name`]));
  const agents = new Map(
    whole.flatMap((object) => (typeof object['agent_id'] === 'string' ? [[object['agent_id'], object]] : [])),
  );
  const idsOfKind = (kind: string) => changes.flatMap((change) => (kindOf(change.kind) === kind ? [change.id] : []));
  const others = idsOfKind('agent').filter((id) => !names.has(id) && !agents.has(id));
  for (const agent of await readByIds(client, 'agents', others)) agents.set(String(agent['agent_id']), agent);
  const values = idsOf(changes.flatMap(({ before = {}, after = {} }) => [before, after]));
  await readNames(
    client,
    { nodes: [...idsOfKind('node'), ...values.nodes], services: [...idsOfKind('service'), ...values.services] },
    names,
  );
  for (const agent of await withTitles(client, [...agents.values()], names))
    names.set(String(agent['agent_id']), String(agent['agent']));
}

/**
 * Changes in a table: what happened to which object, by whom, and the values before and after.
 *
 * @param names of objects by their ids, which are read and added; of agents their titles.
 */
export async function changeRows(
  client: Client,
  changes: readonly Change[],
  names = new Map<string, string>(),
): Promise<Fields[]> {
  await addNames(client, changes, names);
  const nameOf = (id: string) => names.get(id) ?? id;
  return changes.map(({ time, action, kind, id, revision, actor, before = {}, after = {} }) => {
    const [from, to] = [before, after].map((values) => withIdsAs(withoutTime(values), nameOf));
    return {
      time,
      action,
      object: `${kindOf(kind)}/${nameOf(id)}`,
      revision,
      actor: actor.name,
      changes:
        action === 'added' || action === 'removed' ? '' : differencesText(differencesBetween(from ?? {}, to ?? {})),
    };
  });
}
