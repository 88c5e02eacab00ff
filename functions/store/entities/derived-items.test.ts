import { exporter, external, node, pmmAgent, service } from '../../../tests/support/store.ts';
import {
  agentEdgeKey,
  CLUSTERS_PARTITION,
  containerClaim,
  insightEdgeKey,
  labelIndexPartition,
  nameOfKey,
  nodeAddressClaim,
  nodeNameClaim,
  serviceEdgeKey,
  serviceNameClaim,
  unplacedPartition,
} from '../table/keys.ts';
import { agentKeys } from './agent-natural-key.ts';
import { type Entity, type EntityOf, idOf, itemOf, orderOf } from './entity.ts';
import { claimsOf, conflictKeysOf, derivedItemChanges, derivedItemsOf, nextState } from './derived-items.ts';

const changed = <T extends Entity>(entity: T, more: object): T => ({
  ...entity,
  object: { ...entity.object, ...more },
});
const keysOf = (entity: Entity) => derivedItemsOf(entity).map(({ key }) => nameOfKey(key));
const dependenciesOf = (entity: Entity) =>
  derivedItemsOf(entity).flatMap(({ key, dependency }) =>
    dependency === undefined ? [] : [[nameOfKey(key), dependency.kind, dependency.id, dependency.counter]],
  );

test('a node claims its name, its address within a region, and its container', () => {
  const bare = node({ node_name: 'n', address: 'a' });
  expect(claimsOf(bare)).toEqual([nodeNameClaim('n')]);
  expect(claimsOf(changed(bare, { region: 'eu', container_id: 'c' }))).toEqual([
    nodeNameClaim('n'),
    nodeAddressClaim('eu', 'a'),
    containerClaim('c'),
  ]);
});

test('a service claims its name, and depends on its nodes', () => {
  const place = node();
  const target = service([place], { service_name: 's' });
  expect(claimsOf(target)).toEqual([serviceNameClaim('s')]);
  expect(dependenciesOf(target)).toEqual([
    [nameOfKey(serviceEdgeKey(idOf(place), 's')), 'node', idOf(place), 'services'],
  ]);
});

describe('an agent', () => {
  const place = node();
  const process = pmmAgent(place);
  const target = service([place]);

  test('depends on its pmm_agent, its node and its targets', () => {
    const agent = exporter(process, [target]);
    expect(dependenciesOf(agent)).toEqual([
      [nameOfKey(agentEdgeKey('agent', idOf(process), agent.object)), 'agent', idOf(process), 'agents'],
      [nameOfKey(agentEdgeKey('node', idOf(place), agent.object)), 'node', idOf(place), 'agents'],
      [nameOfKey(insightEdgeKey('service', idOf(target), agent.object)), 'service', idOf(target), 'insights'],
    ]);
    expect(dependenciesOf(process)).toEqual([
      [nameOfKey(agentEdgeKey('node', idOf(place), process.object)), 'node', idOf(place), 'pmm_agents'],
    ]);
  });

  test('accepts the target types of its own type, and a node_exporter also its own node', () => {
    const typesOf = (agent: Entity) => derivedItemsOf(agent).flatMap(({ dependency }) => dependency?.types ?? []);
    expect(typesOf(exporter(process, [target]))).toEqual(['mysql']);
    const onOwnNode = external({ nodes: [place] }, { runs_on_node_id: idOf(place), agent_type: 'node_exporter' });
    expect(typesOf(onOwnNode)).toEqual([]);
    expect(typesOf(changed(onOwnNode, { runs_on_node_id: 'another' }))).toEqual(['generic', 'container']);
    // A type that does not watch its own node by default accepts it only if its type fits.
    expect(typesOf(changed(onOwnNode, { agent_type: 'rds_exporter' }))).toEqual(['remote_rds']);
    const never = changed(onOwnNode, { agent_type: 'mysqld_exporter' });
    expect(
      derivedItemsOf(never).find(({ dependency }) => dependency?.counter === 'insights')?.dependency?.types,
    ).toEqual([]);
  });

  test('claims its natural keys only if registered, without an error for other agents', () => {
    const agent = exporter(process, [target]);
    const registered = changed(agent, { registered: true });
    const { toDelete, toPut } = derivedItemChanges(agent, registered);
    expect(toDelete).toEqual([]);
    expect(toPut).toMatchObject([{ attributes: { owner_id: idOf(agent), node_id: idOf(place) } }]);
    expect(claimsOf(registered)).toEqual([]);
  });
});

test('derived items, the item and the natural keys of an object are computed once', () => {
  const process = pmmAgent(node());
  const agent = exporter(process, [service()]);
  for (const entity of [process, agent]) {
    expect(derivedItemsOf(entity)).toBe(derivedItemsOf(entity));
    expect(itemOf(entity)).toBe(itemOf(entity));
    expect(agentKeys(entity.object)).toBe(agentKeys(entity.object));
  }
});

test('the conflict keys of an object are its claims and the ids of its references', () => {
  const place = node({ node_name: 'n' });
  expect(conflictKeysOf(place)).toEqual([nodeNameClaim('n').pk]);
  expect(conflictKeysOf(service([place], { service_name: 's' }))).toEqual([serviceNameClaim('s').pk, idOf(place)]);
  expect(conflictKeysOf(undefined)).toEqual([]);
});

test('an object on no node has an unplaced entry', () => {
  const place = node();
  const isUnplaced = (entity: EntityOf<'service'> | EntityOf<'agent'>) =>
    keysOf(entity).includes(nameOfKey({ pk: unplacedPartition(entity.kind), sk: orderOf(entity) }));
  expect([service(), service([place]), external({}), pmmAgent(place)].map(isUnplaced)).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

test('a change removes items that are no longer derived, and adds new ones', () => {
  const entity = node({ region: 'eu', address: 'a', custom_labels: { a: '1', b: '1' } });
  const { toDelete, toPut, toMove } = derivedItemChanges(
    entity,
    changed(entity, { address: 'b', custom_labels: { a: '1', b: '2' } }),
  );
  const names = (items: readonly { key: { pk: string } }[]) => items.map(({ key }) => key.pk);
  expect(names(toDelete)).toEqual([nodeAddressClaim('eu', 'a').pk, 'NODES#b#1']);
  expect(names(toPut)).toEqual([nodeAddressClaim('eu', 'b').pk, 'NODES#b#2']);
  expect(toMove.map(({ attributes }) => attributes)).toEqual([
    { owner_id: idOf(entity), list_pk: 'NODES#address#b', list_sk: orderOf(entity) },
  ]);
});

test('an agent loses its registration when its natural keys change', () => {
  const process = pmmAgent(node());
  const [first, other] = [service(), service()];
  const agent = changed(exporter(process, [first, other]), { registered: true });
  const next = (more: object) => nextState(agent, changed(agent, more)).object;
  expect(next({ listen_port: 7 })).toHaveProperty('registered', true);
  const targets = (...services: Entity[]) => ({ insights: { node_ids: [], service_ids: services.map(idOf) } });
  expect(next(targets(other, first))).toHaveProperty('registered', true);
  expect(next(targets(first))).not.toHaveProperty('registered');
  expect(agentKeys(agent.object)).toHaveLength(1);
});

test('only the cluster entry of a service is in the list of clusters', () => {
  const listed = (entity: Entity) =>
    derivedItemsOf(entity).flatMap(({ key, attributes }) =>
      attributes['list_pk'] === CLUSTERS_PARTITION ? [key.pk] : [],
    );
  const clustered = service([], { cluster: 'shop', environment: 'shop', address: undefined });
  expect(listed(clustered)).toEqual([labelIndexPartition('service', 'cluster', 'shop')]);
  expect(listed(service([], { environment: 'shop', address: undefined }))).toEqual([]);
  expect(listed(node({ custom_labels: { cluster: 'shop' } }))).toEqual([]);
});
