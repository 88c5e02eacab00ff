/** The fields of an object that say on which others it rests. A node has none of them. */
interface RestingObject {
  custom_labels: object;
  node_ids?: readonly string[];
  runs_on_node_id?: string | undefined;
  insights?: SilenceGround;
}

/** Nodes and services: if all of them are silenced, so is the object that rests on them. */
export interface SilenceGround {
  node_ids: readonly string[];
  service_ids: readonly string[];
}

/** The grounds of an object, each of which suffices: the nodes of a service; the node of an agent, or all of its targets. */
export function groundsOf({ node_ids: nodeIds, runs_on_node_id: host, insights }: RestingObject): SilenceGround[] {
  return [
    ...[nodeIds, host && [host]].flatMap((ids) => (ids ? [{ node_ids: ids, service_ids: [] }] : [])),
    ...(insights === undefined ? [] : [insights]),
  ];
}
