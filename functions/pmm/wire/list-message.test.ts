import { jsonBytesInReply } from '../../../shared/core/reply-size.ts';
import { MAX_RESULT_BYTES } from '../../../shared/http/carry.ts';
import { DROPPED, fittingObjects, LEAST_OBJECT_BYTES, ListMessage, withoutLargest } from './list-message.ts';

const bytesOf = (objects: readonly object[]) => jsonBytesInReply(JSON.stringify({ generic: objects }, null, 2));
const list = { ownerLabel: 'team', isAttribute: false };

const node = (id: string, more: object = {}, labels: Record<string, string> = {}) => ({
  ...{ node_id: id, node_name: `name ${id}`, address: '10.0.0.1', machine_id: '', ...more },
  custom_labels: labels,
});

test('the largest values are omitted, a label counts them, and identifying fields stay', () => {
  const long = 'x'.repeat(300);
  const object = {
    ...node('1', { node_name: long, address: long, machine_id: 'y'.repeat(250), tags: ['z'.repeat(200)], ids: [1] }),
    custom_labels: { team: 'w'.repeat(600), short: 'a', text: 'v'.repeat(1000) },
  };
  expect(withoutLargest(object, 10_000, 'team')).toEqual(object);
  const labels = { team: object.custom_labels.team, short: 'a', [DROPPED]: '1' };
  expect(withoutLargest(object, 2200, 'team')).toEqual({ ...object, custom_labels: labels });
  const next = withoutLargest(withoutLargest(object, 2200, 'team'), 0, 'team');
  expect(next).toEqual({
    ...{ ...object, machine_id: '', tags: [] },
    custom_labels: { team: labels.team, [DROPPED]: '4' },
  });
  expect(withoutLargest(object, 0, 'team')).toEqual(next);
});

test("a service's agents are shortened before its own values", () => {
  const agent = { agent_id: 'a', agent_type: 'mysqld_exporter', status: 'RUNNING', is_connected: true };
  const service = { service_id: '1', agents: [{ ...agent, username: 'u'.repeat(500) }], custom_labels: { a: 'b' } };
  expect(withoutLargest(service, 600, 'team')).toEqual({ ...service, agents: [agent] });
});

test('objects of an owner above its share are shortened, others are not', () => {
  const large = (number: number) => node(String(number), {}, { team: 'a', text: 'x'.repeat(5000), note: 'short' });
  const objects = [
    ...Array.from({ length: 30 }, (_, number) => large(number)),
    node('b', {}, { text: 'x'.repeat(5000) }),
  ];
  const fitting = fittingObjects(objects, list, 100_000)!;
  expect(bytesOf(fitting)).toBeLessThanOrEqual(100_000);
  expect(fitting.at(-1)).toBe(objects.at(-1));
  for (const { custom_labels: labels } of fitting.slice(0, 30))
    expect(labels).toEqual({ team: 'a', note: 'short', [DROPPED]: '1' });
  expect(fittingObjects(objects, list, bytesOf(objects) * 2)).toEqual(objects);
  expect(fittingObjects(objects, list, 31 * LEAST_OBJECT_BYTES - 1)).toBeUndefined();
});

test('where the owner label is an attribute, custom labels with that name are ignored', () => {
  const service = (id: string, environment: string) => ({
    ...{ service_id: id, environment, custom_labels: { environment: 'b', text: 'x'.repeat(5000) } },
  });
  const objects = [...Array.from({ length: 10 }, (_, number) => service(String(number), 'a')), service('b', 'b')];
  const fitting = fittingObjects(objects, { ownerLabel: 'environment', isAttribute: true }, 40_000)!;
  expect(fitting.at(-1)).toBe(objects.at(-1));
});

test("a message that does not fit has a smaller one with the same lists, in its generation's form", () => {
  const large = (number: number) => node(String(number), {}, { text: '"'.repeat(5000) });
  const message = { generic: Array.from({ length: 400 }, (_, number) => large(number)), container: [node('c')] };
  const third = new ListMessage(message, { ...list, generation: 3 }).smaller()!;
  expect(jsonBytesInReply(JSON.stringify(third, null, 2))).toBeLessThanOrEqual(MAX_RESULT_BYTES);
  expect(third['generic']).toHaveLength(400);
  expect(third['generic']).toContainEqual(node('1', {}, { [DROPPED]: '1' }));
  expect(third['container']).toEqual([node('c')]);
  const second = new ListMessage(message, { ...list, generation: 2 }).smaller()!;
  const { machine_id: _, ...rest } = node('1', {}, { [DROPPED]: '1' });
  expect(second['generic']).toContainEqual(rest);
  const tooMany = { generic: Array.from({ length: 20 }, () => node('n', { node_name: '"'.repeat(90_000) })) };
  expect(new ListMessage(tooMany, { ...list, generation: 3 }).smaller()).toBeUndefined();
});
