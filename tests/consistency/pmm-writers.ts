/** Writes of our API as clients of PMM send them, for the model test: the same effect on the same objects. */

type Fields = Record<string, any>;

/** The generation of the client. */
export type Generation = 3 | 2;

export interface PmmCall {
  method: string;
  path: string;
  body: Fields;
}

type Kind = 'node' | 'service' | 'agent';

const plural = { node: 'nodes', service: 'services', agent: 'agents' } as const;

/** The names of generation 2. */
const oldPlural = { node: 'Nodes', service: 'Services', agent: 'Agents' } as const;
const oldType: Fields = {
  generic: 'Generic',
  remote_rds: 'RemoteRDS',
  mysql: 'MySQL',
  pmm_agent: 'PMMAgent',
  mysqld_exporter: 'MySQLdExporter',
};

/** A service of PMM is on one node, and an agent has one service as its target. */
function messageOf(body: Fields): Fields {
  const { node_ids: nodeIds, insights, ...rest } = body;
  const [nodeId] = nodeIds ?? [];
  const [serviceId] = insights?.service_ids ?? [];
  return {
    ...rest,
    ...(nodeId === undefined ? {} : { node_id: nodeId }),
    ...(serviceId === undefined ? {} : { service_id: serviceId }),
  };
}

/** @param body of our API, with references. */
export function pmmAdd(generation: Generation, kind: Kind, body: Fields): PmmCall {
  const { [`${kind}_type`]: type, ...fields } = body;
  const message = messageOf(fields);
  return generation === 3
    ? { method: 'POST', path: `/v1/inventory/${plural[kind]}`, body: { [type]: message } }
    : { method: 'POST', path: `/v1/inventory/${oldPlural[kind]}/Add${oldType[type]}`, body: message };
}

/** The id in the reply to an add. */
export function idInReply(kind: Kind, body: Fields): string {
  const [object] = Object.values(body);
  return String(object[`${kind}_id`]).replace(/^\/\w+_id\//, '');
}

/** @param change of a service: its environment and its cluster; null clears a field. */
export function pmmChangeOfService(generation: Generation, id: string, change: Fields): PmmCall {
  // An empty text clears a field.
  const fields = Object.fromEntries(Object.entries(change).map(([name, value]) => [name, value ?? '']));
  return generation === 3
    ? { method: 'PUT', path: `/v1/inventory/services/${id}`, body: fields }
    : { method: 'POST', path: '/v1/inventory/Services/Change', body: { service_id: id, ...fields } };
}

export function pmmRemove(generation: Generation, kind: Kind, id: string, force: boolean): PmmCall {
  return generation === 3
    ? { method: 'DELETE', path: `/v1/inventory/${plural[kind]}/${id}${force ? '?force=true' : ''}`, body: {} }
    : { method: 'POST', path: `/v1/inventory/${oldPlural[kind]}/Remove`, body: { [`${kind}_id`]: id, force } };
}
