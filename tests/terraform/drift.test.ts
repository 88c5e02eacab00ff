/** Every field of every type of object: added as configured, noticed when it drifts, and repaired. */
import { bodyOf, everything } from '../end-to-end/client.ts';
import { type Sample, samples } from './samples.ts';
import { type Bench, type PlannedChange, startBench, type Workspace } from './workspace.ts';

let bench: Bench;
let workspace: Workspace;
let all: Sample[];

const addressOf = ({ resource, name }: Sample) => `${resource}.${name}`;

beforeAll(async () => {
  bench = await startBench();
  workspace = await bench.workspace('drift');
  all = await samples();
  const resource: Record<string, Record<string, object>> = {};
  for (const one of all) (resource[one.resource] ??= {})[one.name] = one.attributes;
  await workspace.write({ resource });
  await workspace.apply();
});

afterAll(() => bench.stop());

/** The objects of the inventory without what each change changes. */
async function present() {
  const { nodes, services, agents } = await everything(bench.editor);
  const names = new Map(
    [...nodes, ...services].map((one) => [one.node_id ?? one.service_id, one.node_name ?? one.service_name]),
  );
  const plain = ({ created_at: _, updated_at: __, revision: ___, ...rest }: any) =>
    JSON.parse(JSON.stringify(rest), (key, value) => (key.endsWith('_id') ? undefined : (names.get(value) ?? value)));
  return [...nodes, ...services, ...agents].map((one) => JSON.stringify(Object.entries(plain(one)).sort())).sort();
}

/** The paths of the objects in the API by the addresses of their resources. */
async function paths(): Promise<Map<string, string>> {
  const state = JSON.parse(await workspace.state());
  return new Map(
    state.resources.map(({ type, name, instances }: any) => {
      const kind = type.replace('inventory_', '');
      return [`${type}.${name}`, `/v1/${kind}s/${instances[0].attributes[`${kind}_id`]}`];
    }),
  );
}

/** The part of the values before a change that has these fields. */
const pick = (names: readonly string[], values: any) => Object.fromEntries(names.map((name) => [name, values[name]]));

test('all types with all fields: a second plan has no differences, and the inventory has the values', async () => {
  expect(await workspace.plan()).toEqual([]);
  const own = await paths();
  expect(all.length).toBeGreaterThan(32);
  for (const one of all.filter(({ resource }) => resource !== 'inventory_agent')) {
    const object = bodyOf(await bench.editor('GET', own.get(addressOf(one))!), 200);
    const { node_names: _, ...values } = one.attributes;
    expect(object).toMatchObject(values);
  }
});

test('the drift of every field of every type is noticed and repaired in place', async () => {
  const before = await present();
  const own = await paths();
  for (const one of all) bodyOf(await bench.editor('PATCH', own.get(addressOf(one))!, { body: one.drift }), 200);
  const changes = new Map((await workspace.plan()).map((one): [string, PlannedChange] => [one.address, one]));
  for (const one of all) {
    const { change } = changes.get(addressOf(one))!;
    const names = Object.keys(one.drifted);
    expect(names.length).toBeGreaterThan(0);
    expect({ [one.name]: pick(names, change.before) }).toEqual({ [one.name]: one.drifted });
    expect(pick(names, change.after)).toEqual(pick(names, one.attributes));
    expect(change.actions).toEqual(['update']);
  }
  await workspace.apply();
  expect(await workspace.plan()).toEqual([]);
  expect(await present()).toEqual(before);
});

test('the drift of references is noticed: nodes of services in place, targets of agents by a replacement', async () => {
  const before = await present();
  const own = await paths();
  const moved = all.filter(
    ({ resource, attributes }) =>
      resource === 'inventory_service' ||
      (resource === 'inventory_agent' && Object.keys(attributes['insights'] ?? {}).includes('service_names')),
  );
  for (const one of moved) {
    const body = one.resource === 'inventory_service' ? { node_ids: null } : { insights: null };
    bodyOf(await bench.editor('PATCH', own.get(addressOf(one))!, { body }), 200);
  }
  const changes = new Map((await workspace.plan()).map((one): [string, PlannedChange] => [one.address, one]));
  for (const one of moved) {
    const { actions, before: drifted } = changes.get(addressOf(one))!.change;
    const isService = one.resource === 'inventory_service';
    expect([one.name, actions]).toEqual([one.name, isService ? ['update'] : ['delete', 'create']]);
    expect(isService ? drifted.node_names : drifted.insights.service_names).toEqual([]);
  }
  expect(moved.map(({ resource }) => resource)).toEqual(
    expect.arrayContaining(['inventory_service', 'inventory_agent']),
  );
  await workspace.apply();
  expect(await workspace.plan()).toEqual([]);
  expect(await present()).toEqual(before);
});

test('a destruction removes all objects', async () => {
  await workspace.apply('-destroy');
  expect(await everything(bench.editor)).toEqual({ nodes: [], services: [], agents: [] });
});
