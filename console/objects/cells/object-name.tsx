import { useQuery } from '@tanstack/react-query';
import { nameQuery } from '../../model/object-cache.tsx';
import { agents, type InventoryObject, isObjectOf, type Kind, nodes, textOf } from '../../model/kinds.tsx';

/**
 * The name of an object for people: of an agent `mysqld_exporter on orders-db-3`, and the start of its id until the name
 * of its node is loaded. Undefined for no object.
 */
export function useObjectName<T extends InventoryObject>(kind: Kind<T>, object: T | undefined): string | undefined {
  const agent = object !== undefined && isObjectOf(agents, object) ? object : undefined;
  const host = agent && textOf(agent, 'runs_on_node_id');
  const { data } = useQuery({ ...nameQuery(nodes, host ?? ''), enabled: host !== undefined });
  if (object === undefined) return undefined;
  if (agent === undefined || data?.object === undefined) return kind.nameOf(object);
  return `${agent.agent_type} on ${nodes.nameOf(data.object)}`;
}

/** The name of an object within a text. */
export function ObjectName<T extends InventoryObject>({ kind, object }: Pick<Props<T>, 'kind' | 'object'>) {
  const agentName = useObjectName(agents, isObjectOf(agents, object) ? object : undefined);
  return <bdi className="any-word">{agentName ?? kind.nameOf(object)}</bdi>;
}

interface Props<T extends InventoryObject> {
  kind: Pick<Kind<T>, 'nameOf'>;
  object: T;
}
