import { randomUUID } from 'node:crypto';
import { newRecord } from '../../functions/domain/fields/record.ts';
import { type Entity, type EntityOf, idOf, parsed } from '../../functions/store/entities/entity.ts';
import { type Writable, writable } from '../../functions/store/entities/key-scope.ts';
import { findObjects } from '../../functions/store/entities/get.ts';
import type { ObjectKind } from '../../functions/store/table/keys.ts';
import { jobContext, type WriteContext } from '../../functions/store/entities/write-context.ts';
import { commit } from '../../functions/store/inventory/commit.ts';
import { planAdd } from '../../functions/store/inventory/transaction-plan.ts';
import type { Table } from '../../shared/db/table.ts';
import { testTime } from './test-time.ts';

type Fields = Record<string, unknown>;

/** An entity for a caller that is not confined. */
export const entity = <Kind extends ObjectKind>(kind: Kind, fields: Fields): Writable<EntityOf<Kind>> =>
  writable({ scope: undefined, limit: undefined }, parsed(kind, fields));

export const node = (more: Fields = {}): Writable<EntityOf<'node'>> =>
  entity('node', {
    node_id: randomUUID(),
    node_type: 'generic',
    node_name: randomUUID(),
    address: '10.0.0.1',
    custom_labels: {},
    ...newRecord(testTime()),
    ...more,
  });

export const service = (nodes: readonly Entity[] = [], more: Fields = {}): Writable<EntityOf<'service'>> =>
  entity('service', {
    service_id: randomUUID(),
    service_type: 'mysql',
    service_name: randomUUID(),
    node_ids: nodes.map(({ object }) => object['node_id']),
    custom_labels: {},
    ...newRecord(testTime()),
    ...more,
  });

const agent = (more: Fields): Writable<EntityOf<'agent'>> =>
  entity('agent', {
    agent_id: randomUUID(),
    insights: { node_ids: [], service_ids: [] },
    disabled: false,
    custom_labels: {},
    ...newRecord(testTime()),
    ...more,
  });

export const pmmAgent = ({ object }: EntityOf<'node'>, more: Fields = {}) =>
  agent({ agent_type: 'pmm_agent', runs_on_node_id: object.node_id, connected: false, ...more });

/** A mysqld_exporter under a pmm_agent, with these targets. */
export const exporter = ({ object }: EntityOf<'agent'>, targets: readonly EntityOf<'service'>[], more: Fields = {}) =>
  agent({
    agent_type: 'mysqld_exporter',
    pmm_agent_id: object.agent_id,
    runs_on_node_id: object.runs_on_node_id,
    insights: { node_ids: [], service_ids: targets.map((target) => target.object.service_id) },
    status: 'unknown',
    ...more,
  });

/** An external_exporter without a place. */
export const external = (targets: { nodes?: readonly Entity[]; services?: readonly Entity[] }, more: Fields = {}) =>
  agent({
    agent_type: 'external_exporter',
    listen_port: 1,
    insights: {
      node_ids: (targets.nodes ?? []).map(({ object }) => object['node_id']),
      service_ids: (targets.services ?? []).map(({ object }) => object['service_id']),
    },
    status: 'unknown',
    ...more,
  });

/** The context of a write by the service itself, at the `clock`'s time; default: the time of tests. */
export const contextOf = ({ clock = () => testTime(), ...more }: Partial<WriteContext> = {}): WriteContext => ({
  ...jobContext({ actor: { kind: 'system', id: 'test', name: 'test' }, requestId: 'r', limit: undefined }, clock),
  ...more,
});

/** Adds the objects in one transaction, in a context. */
export async function addIn(context: WriteContext, table: Table, ...entities: readonly Entity[]): Promise<void> {
  await commit(table, context, (plan) => entities.forEach((entity) => planAdd(plan, entity)), { isAtomic: true });
}

/** Adds the objects in one transaction, at the time of tests. */
export const addAll = (table: Table, ...entities: readonly Entity[]): Promise<void> =>
  addIn(contextOf(), table, ...entities);

/** Adds a node with an agent process and a service. */
export async function addHost(table: Table) {
  const place = node();
  const process = pmmAgent(place);
  const target = service([place]);
  await addAll(table, place, process, target);
  return { place, process, target };
}

/** Whether each of the objects exists. */
export async function presenceOf(table: Table, ...entities: readonly Entity[]): Promise<boolean[]> {
  const wanted = entities.map((entity) => ({ kind: entity.kind, id: idOf(entity) }));
  const presentIds = new Set((await findObjects(table, wanted)).map(idOf));
  return entities.map((entity) => presentIds.has(idOf(entity)));
}
