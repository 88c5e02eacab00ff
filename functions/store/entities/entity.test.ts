import { entity, exporter, node, pmmAgent, service } from '../../../tests/support/store.ts';
import {
  dependentsTypeOf,
  entityIn,
  entityWithoutInternalFields,
  idOf,
  itemOf,
  jsonOf,
  orderOf,
  parsed,
  placeUnder,
  toEntity,
} from './entity.ts';

const place = node({ node_name: 'n', node_type: 'container' });
const target = service([place], { service_name: 's' });
const process = pmmAgent(place);
const agent = exporter(process, [target]);

test('the item of an object has its key and index attributes, which are no object fields', () => {
  expect(itemOf(place)).toMatchObject({ list_pk: 'NODES', list_sk: 'n', type_pk: 'NODES#container' });
  expect(itemOf(target)).toMatchObject({ list_pk: 'SERVICES', list_sk: 's', type_pk: 'SERVICES#mysql' });
  expect(itemOf(agent)).toMatchObject({ list_pk: 'AGENTS', list_sk: `mysqld_exporter#${idOf(agent)}` });
  for (const entity of [place, target, process, agent])
    expect(entityIn(entity.kind, itemOf(entity)).object).toEqual(entity.object);
});

test('a field is either in the item or in its JSON, and a read object has all fields', () => {
  const stored = entity('agent', { ...agent.object, registered: true, last_change: 'c' });
  const item = itemOf(stored);
  const { agent_id: _id, revision, ...rest } = agent.object;
  expect(JSON.parse(item['json'])).toEqual(rest);
  expect(item['revision']).toBe(revision);
  expect(JSON.parse(jsonOf(stored))).toEqual(agent.object);
  expect(entityIn('agent', item).object).toEqual(stored.object);
  expect(jsonOf(entityIn('agent', item))).toBe(jsonOf(stored));
});

test('an item of an older version, with fields as attributes, is readable', () => {
  const { json: _, ...item } = itemOf(place);
  expect(entityIn('node', { ...place.object, ...item }).object).toEqual(place.object);
});

test('entities have ids, orders and types', () => {
  expect([place, target, agent].map(orderOf)).toEqual(['n', 's', `mysqld_exporter#${agent.object.agent_id}`]);
  expect([place, target, process, agent].map(dependentsTypeOf)).toEqual(['container', 'mysql', 'pmm_agent', undefined]);
  expect(idOf(target)).toBe(target.object.service_id);
});

test('labels are sorted by name, so that equal objects have equal JSON', () => {
  const { object } = toEntity('node', { ...place.object, custom_labels: { b: '1', a: '2', B: '3' } });
  expect(JSON.stringify(object.custom_labels)).toBe('{"B":"3","a":"2","b":"1"}');
});

test('a malformed item is an error', () => {
  expect(() => parsed('node', { ...place.object, node_type: 1 })).toThrow();
  expect(() => parsed('service', { ...target.object, node_ids: undefined })).toThrow();
  expect(() => parsed('agent', { ...agent.object, disabled: 'no' })).toThrow();
});

test('internal fields are removed from a copy', () => {
  for (const entity of [place, target, agent]) {
    const marked = { ...entity, object: { ...entity.object, last_change: 'c', removing: true } } as typeof entity;
    expect(entityWithoutInternalFields(marked)).toEqual(entity);
    expect(marked.object.last_change).toBe('c');
  }
});

test("an agent runs on its pmm_agent's node, and no other agent is a place", () => {
  expect(placeUnder(process)).toEqual({ pmm_agent_id: idOf(process), runs_on_node_id: idOf(place) });
  const nowhere = {
    ...process,
    object: { ...process.object, runs_on_node_id: undefined },
  } as unknown as typeof process;
  for (const entity of [place, agent, nowhere])
    expect(() => placeUnder(entity)).toThrow(expect.objectContaining({ kind: 'failedPrecondition' }));
});
