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
  for (const sample of all) (resource[sample.resource] ??= {})[sample.name] = sample.attributes;
  await workspace.write({ resource });
  await workspace.apply();
});

afterAll(() => bench.stop());

/** The objects of the inventory without what each change changes. */
async function present() {
  const { nodes, services, agents } = await everything(bench.editor);
  const names = new Map(
    [...nodes, ...services].map((object) => [
      object.node_id ?? object.service_id,
      object.node_name ?? object.service_name,
    ]),
  );
  const plain = ({ created_at: _, updated_at: __, revision: ___, ...rest }: any) =>
    JSON.parse(JSON.stringify(rest), (key, value) => (key.endsWith('_id') ? undefined : (names.get(value) ?? value)));
  return [...nodes, ...services, ...agents]
    .map((object) => JSON.stringify(Object.entries(plain(object)).sort()))
    .sort();
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

test('all types with all fields have no differences in a second plan, and the inventory has the values', async () => {
  expect(await workspace.plan()).toEqual([]);
  const pathByAddress = await paths();
  expect(all.length).toBeGreaterThan(32);
  for (const sample of all.filter(({ resource }) => resource !== 'inventory_agent')) {
    const object = bodyOf(await bench.editor('GET', pathByAddress.get(addressOf(sample))!), 200);
    const { node_names: _, ...values } = sample.attributes;
    expect(object).toMatchObject(values);
  }
});

test('the drift of every field of every type is noticed and repaired in place', async () => {
  const before = await present();
  const pathByAddress = await paths();
  for (const sample of all)
    bodyOf(await bench.editor('PATCH', pathByAddress.get(addressOf(sample))!, { body: sample.drift }), 200);
  const changes = new Map(
    (await workspace.plan()).map((plannedChange): [string, PlannedChange] => [plannedChange.address, plannedChange]),
  );
  for (const sample of all) {
    const { change } = changes.get(addressOf(sample))!;
    const names = Object.keys(sample.drifted);
    expect(names.length).toBeGreaterThan(0);
    expect({ [sample.name]: pick(names, change.before) }).toEqual({ [sample.name]: sample.drifted });
    expect(pick(names, change.after)).toEqual(pick(names, sample.attributes));
    expect(change.actions).toEqual(['update']);
  }
  await workspace.apply();
  expect(await workspace.plan()).toEqual([]);
  expect(await present()).toEqual(before);
});

test("the drift of references is noticed: a service's nodes in place, an agent's targets by a replacement", async () => {
  const before = await present();
  const pathByAddress = await paths();
  const moved = all.filter(
    ({ resource, attributes }) =>
      resource === 'inventory_service' ||
      (resource === 'inventory_agent' && Object.keys(attributes['insights'] ?? {}).includes('service_names')),
  );
  for (const sample of moved) {
    const body = sample.resource === 'inventory_service' ? { node_ids: null } : { insights: null };
    bodyOf(await bench.editor('PATCH', pathByAddress.get(addressOf(sample))!, { body }), 200);
  }
  const changes = new Map(
    (await workspace.plan()).map((plannedChange): [string, PlannedChange] => [plannedChange.address, plannedChange]),
  );
  for (const sample of moved) {
    const { actions, before: drifted } = changes.get(addressOf(sample))!.change;
    const isService = sample.resource === 'inventory_service';
    expect([sample.name, actions]).toEqual([sample.name, isService ? ['update'] : ['delete', 'create']]);
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
