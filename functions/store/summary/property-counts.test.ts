import { exporter, external, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { putObjectsWithHeartbeats } from '../../../tests/support/stored-objects.ts';
import { fakeTable, startTable } from '../../../tests/support/table.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import type { Entity } from '../entities/entity.ts';
import { newHeartbeat, toHeartbeat } from '../heartbeats/heartbeat.ts';
import { PropertyCounter } from './property-counter.ts';
import { countPart, newCount, type Progress } from './count.ts';
import { PropertyCounts, valueCountsOf, noPropertyCounts, Owners } from './property-counts.ts';

const now = testTime();
const facts = { heartbeats: new Map(), owners: new Owners(), now };

function counted(entities: readonly Entity[]): PropertyCounts {
  const propertyCounts = new PropertyCounts(noPropertyCounts());
  for (const entity of entities) propertyCounts.add(entity, 'live', facts);
  return propertyCounts;
}

/** Values and their numbers of objects; `-` is no value. */
function shown(
  propertyCounts: ReturnType<PropertyCounts['result']>,
  kind: Entity['kind'],
  name: string,
  total: number,
): string[] | undefined {
  const valueCounts = valueCountsOf(propertyCounts, kind, name, { live: total });
  return valueCounts
    ?.map(({ value = '-', byState }) => `${value} ${byState.reduce((sum, [, count]) => sum + count, 0)}`)
    .toSorted();
}

const many = <Made>(count: number, make: (index: number) => Made) =>
  Array.from({ length: count }, (_, index) => make(index));

test('counts objects with and without a zone or label, also for a label that no object has', () => {
  const nodes = [
    node({ region: 'eu', az: 'a', custom_labels: { team: 'x' } }),
    node({ region: 'eu', az: 'a', custom_labels: { team: '' } }),
    node({ custom_labels: { __proto__x: 'y' } }),
  ];
  const propertyCounts = counted(nodes).result();
  expect(shown(propertyCounts, 'node', 'az', 3)).toEqual(['- 1', 'a 2']);
  expect(shown(propertyCounts, 'node', 'labels.team', 3)).toEqual([' 1', '- 1', 'x 1']);
  expect(shown(propertyCounts, 'node', 'labels.region', 3)).toEqual(['- 1', 'eu 2']);
  expect(shown(propertyCounts, 'node', 'labels.nobody', 3)).toEqual(['- 3']);
});

test('counts the objects of each type by property', () => {
  const place = node();
  const services = [
    service([place], { service_type: 'mysql', version: '8.4' }),
    service([place], { service_type: 'mysql', version: '8.0' }),
    service([place], { service_type: 'postgresql', version: '17' }),
  ];
  const propertyCounts = counted(services).result();
  expect(shown(propertyCounts, 'service', 'mysql.version', 2)).toEqual(['8.0 1', '8.4 1']);
  expect(shown(propertyCounts, 'service', 'postgresql.version', 1)).toEqual(['17 1']);
  expect(shown(propertyCounts, 'service', 'mongodb.version', 0)).toBeUndefined();
});

test('a property of one type is dropped before one of all objects', () => {
  const nodes = many(700, (index) => node({ region: `${index}${'x'.repeat(70)}` }));
  const propertyCounts = counted(nodes).result();
  expect(shown(propertyCounts, 'node', 'generic.region', 700)).toBeUndefined();
  expect(shown(propertyCounts, 'node', 'region', 700)).toHaveLength(700);
});

test('does not take an attribute without a count for a label that no object has', () => {
  const propertyCounts = counted([node()]).result();
  for (const label of ['node_id', 'node_name', 'node_type', 'address'])
    expect(shown(propertyCounts, 'node', `labels.${label}`, 1)).toBeUndefined();
});

test('drops a property with more than 1,000 values and keeps the others', () => {
  const nodes = many(1001, (index) => node({ az: `z${index}`, custom_labels: { team: 'x' } }));
  const all = shown(counted(nodes.slice(1)).result(), 'node', 'az', 1000);
  expect(all).toHaveLength(1000);
  const propertyCounts = counted(nodes).result();
  expect(shown(propertyCounts, 'node', 'az', 1001)).toBeUndefined();
  expect(shown(propertyCounts, 'node', 'labels.team', 1001)).toEqual(['- 0', 'x 1001']);
});

test('drops the property with the most bytes first, so that all values fit an item', () => {
  const nodes = many(300, (index) =>
    node({ custom_labels: { small: `${index}`, large: `${index}${'x'.repeat(900)}` } }),
  );
  const propertyCounts = counted(nodes).result();
  expect(JSON.stringify(propertyCounts).length).toBeLessThan(200_000);
  expect(shown(propertyCounts, 'node', 'labels.large', 300)).toBeUndefined();
  expect(shown(propertyCounts, 'node', 'labels.small', 300)).toHaveLength(301);
});

test('does not count labels beyond the first 30, and does not take them for absent', () => {
  const labels = Object.fromEntries(many(40, (index) => [`l${String(index).padStart(2, '0')}`, 'x']));
  const propertyCounts = counted([node({ custom_labels: labels })]).result();
  expect(shown(propertyCounts, 'node', 'labels.l00', 1)).toEqual(['- 0', 'x 1']);
  expect(shown(propertyCounts, 'node', 'labels.l39', 1)).toBeUndefined();
});

test('a count in parts equals a count in one part, also for properties of related objects', async () => {
  const { table, stop } = await startTable(/"(NODE|SERVICE|AGENT|HEARTBEATS)/);
  try {
    const hosts = many(30, (index) => {
      const place = node({ region: `r${index % 3}`, az: `r${index % 3}-a`, address: `10.0.0.${index}` });
      const process = pmmAgent(place);
      const watched = service([place], { cluster: `c${index % 4}`, environment: 'prod', version: `8.${index % 2}` });
      return [place, process, watched, exporter(process, [watched]), external({ services: [watched] })];
    });
    await putObjectsWithHeartbeats(table, hosts.flat());
    const countBy = async (objects: number) => {
      let progress: Progress = newCount(now);
      let parts = 0;
      for (;;) {
        const part = await countPart(table, progress, now, { objects, heartbeats: 100 });
        parts += 1;
        if (part.isDone) return { propertyCounts: part.progress.propertyCounts!, parts };
        progress = JSON.parse(JSON.stringify(part.progress)) as Progress;
      }
    };
    const whole = await countBy(1000);
    const parts = await countBy(1);
    expect([whole.parts, parts.parts]).toEqual([1, 3]);
    expect(parts.propertyCounts).toEqual(whole.propertyCounts);
    const of = (kind: Entity['kind'], name: string) =>
      Object.fromEntries(
        (valueCountsOf(whole.propertyCounts, kind, name, {}) ?? []).map(({ value = '-', byState }) => [
          value,
          byState.reduce((sum, [, count]) => sum + count, 0),
        ]),
      );
    expect(of('node', 'cluster')).toEqual({ c0: 8, c1: 8, c2: 7, c3: 7 });
    expect(of('agent', 'mysqld_exporter.cluster')).toEqual({ c0: 8, c1: 8, c2: 7, c3: 7 });
    expect(of('service', 'region')).toEqual({ r0: 10, r1: 10, r2: 10 });
    expect(of('service', 'version')).toEqual({ '8.0': 15, '8.1': 15 });
    expect(of('agent', 'cluster')).toEqual({ '-': 30, c0: 16, c1: 16, c2: 14, c3: 14 });
    expect(of('agent', 'az')).toMatchObject({ 'r0-a': 20, 'r1-a': 20 });
  } finally {
    await stop();
  }
});

test('a node counts once in each cluster of its services, and without one if it has none', () => {
  const [first, second, third] = [node(), node(), node()];
  const owners = new Owners();
  for (const cluster of ['a', 'a', 'b']) owners.add(service([first, second], { cluster }));
  owners.add(service([second], { cluster: 'c' }));
  owners.ended('service', true);
  const heartbeats = new Map(
    [first, second, third].map(({ object }) => [object.node_id, toHeartbeat(newHeartbeat(object, now))]),
  );
  const propertyCounts = new PropertyCounts(noPropertyCounts());
  propertyCounts.addNodesByCluster(heartbeats, owners, now);
  expect(shown(propertyCounts.result(), 'node', 'cluster', 3)).toEqual(['- 1', 'a 2', 'b 2', 'c 1']);
});

test('does not count nodes by cluster without all services or heartbeats', () => {
  const all = new Owners();
  all.ended('service', true);
  for (const [heartbeats, owners] of [
    [undefined, all],
    [new Map(), new Owners()],
  ] as const) {
    const propertyCounts = new PropertyCounts(noPropertyCounts());
    propertyCounts.addNodesByCluster(heartbeats, owners, now);
    expect(shown(propertyCounts.result(), 'node', 'cluster', 0)).toBeUndefined();
  }
});

test('a part that begins amid the services reads those before it to count agents by cluster', async () => {
  const { table, stop } = await startTable(/"(NODE|SERVICE)/);
  try {
    const place = node();
    const [before, after] = ['a', 'b'].map((cluster) => service([place], { service_name: cluster, cluster }));
    await putObjectsWithHeartbeats(table, [place, before!, after!]);
    const count = new PropertyCounter(noPropertyCounts(), { kind: 'service', after: ['a', 'x'] });
    const facts = { heartbeats: new Map(), now };
    await count.add(table, 'service', [after!], facts);
    count.ended('service', facts);
    await count.add(table, 'agent', [external({ services: [before!] }), external({ services: [after!] })], facts);
    expect(shown(count.result(), 'agent', 'cluster', 2)).toEqual(['a 1', 'b 1']);
  } finally {
    await stop();
  }
});

test('a part does not read again what was too many for an earlier part', async () => {
  const { table, stop } = await startTable(/"(NODE|SERVICE)/);
  try {
    const places = [node({ region: 'eu' }), node({ region: 'eu' })];
    const services = places.map((place) => service([place], { cluster: 'a' }));
    await putObjectsWithHeartbeats(table, [...places, ...services]);
    const first = new PropertyCounter(noPropertyCounts(), { kind: 'service', after: ['a', 'x'] }, 1);
    await first.add(table, 'service', [services[0]!], facts);
    const second = new PropertyCounter(first.result(), { kind: 'service', after: ['b', 'x'] }, 1);
    const unread = fakeTable(() => Promise.reject(new Error('a read')));
    await second.add(unread, 'service', [services[1]!], facts);
    expect(shown(second.result(), 'service', 'region', 2)).toBeUndefined();
    expect(shown(second.result(), 'service', 'cluster', 2)).toEqual(['a 2']);
  } finally {
    await stop();
  }
});
