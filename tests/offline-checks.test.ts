/** What checks a desired state without a server has the same verdict as the server: `inventory lint` and the constructs of the CDK. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { parseState } from '../clients/cli/src/files/state-file.ts';
import { InventoryAgent, InventoryFleet, InventoryNode, InventoryService } from '../infra/library.ts';
import type { Assets } from '../infra/assets/stored-assets.ts';
import { InvalidSettings } from '../infra/settings/read-settings.ts';
import { synthesiseApp } from '../infra/synthesis/synthesise.ts';
import { type ObjectKind, objectKinds } from '../functions/domain/fields/object-kind.ts';
import fc from '../shared/testing/fast-check.ts';
import { inFull } from '../shared/testing/extent.ts';
import { type Inventory, startInventory } from './support/inventory.ts';
import { newAddress, newName, newPath } from './support/new-values.ts';

const RUNS = inFull(1000, 150);

let inventory: Inventory;
let folder: string;
beforeAll(async () => {
  inventory = await startInventory();
  folder = mkdtempSync(join(tmpdir(), 'offline-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await inventory.stop();
});

const custom_labels = { fleet: 'p' };
const scope = { selector: 'fleet=p' };

/** Of the scope, so that agents may refer to it. */
const HOST = { node_type: 'generic', node_name: 'host', address: '10.0.0.1', custom_labels };

const node = fc.oneof(
  fc.record({
    node_type: fc.constantFrom('generic', 'container', 'remote'),
    node_name: newName,
    address: newAddress,
    custom_labels: fc.constant(custom_labels),
  }),
  fc.record({
    node_type: fc.constantFrom('remote_rds', 'remote_azure_database'),
    node_name: newName,
    address: newAddress,
    region: fc.constantFrom('eu', ''),
    custom_labels: fc.constant(custom_labels),
  }),
);

const service = fc.oneof(
  fc.record({
    service_type: fc.constantFrom('mysql', 'valkey', 'external'),
    service_name: newName,
    address: newAddress,
    port: fc.constantFrom(3306, 70_000),
    custom_labels: fc.constant(custom_labels),
  }),
  fc.record({
    service_type: fc.constantFrom('postgresql', 'proxysql'),
    service_name: newName,
    socket: newPath,
    custom_labels: fc.constant(custom_labels),
  }),
);

const agent = fc.record(
  {
    agent_type: fc.constantFrom('external_exporter', 'node_exporter'),
    runs_on_node_name: fc.constant('host'),
    listen_port: fc.constantFrom(9100, 0),
    metrics_path: newPath,
  },
  { requiredKeys: ['agent_type', 'runs_on_node_name', 'listen_port'] },
);

const PROCESS = { agent_type: 'pmm_agent', runs_on_node_name: 'host' };

/** The fields that the server refuses, sorted. Nothing is written. */
async function refusedByServer(desired: object): Promise<string[]> {
  const { status, body, text } = await inventory.request('POST', '/v1/reconcile', { body: { scope, desired } });
  if (status === 200) return [];
  if (status !== 400) throw new Error(text);
  return fieldsIn(body.details.map(({ field }: { field: string }) => field));
}

const fieldsIn = (fields: readonly string[]) => [...new Set(fields)].sort();

/** The fields in lines such as `fleet.json:1:2 nodes[0].address: Must be ...`. */
const fieldsInLines = (lines: readonly string[]) =>
  fieldsIn(lines.map((line) => `desired.${/^\S+:\d+:\d+ (\S+?): /.exec(line)?.[1]?.replace(/\[(\d+)\]/, '.$1')}`));

function refusedByLint(text: string): string[] {
  try {
    return fieldsInLines(parseState(text, 'fleet.json').wrongIfNew());
  } catch (error) {
    return fieldsInLines((error as Error).message.split('\n'));
  }
}

/** The problems of a construct. */
function problemsOf(build: () => unknown): readonly string[] {
  try {
    build();
    return [];
  } catch (error) {
    if (error instanceof InvalidSettings) return error.problems;
    throw error;
  }
}

/** As many constructs as a template may have resources. */
const IN_ONE_STACK = 100;

interface Scene {
  stack: Stack;
  /** The props that all objects have. */
  common: { inventory: { url: string; keySecret: Secret }; assets: Assets };
}

/** Builds each of the constructs in a stack. @returns their problems, in the same order. */
function problemsOfAll(constructs: readonly ((scene: Scene, id: string) => unknown)[]): (readonly string[])[] {
  const all: (readonly string[])[] = [];
  synthesiseApp((app, assets) => {
    for (let start = 0; start < constructs.length; start += IN_ONE_STACK) {
      const stack = new Stack(app, `Shop${start}`);
      const keySecret = new Secret(stack, 'Key');
      for (const [index, build] of constructs.slice(start, start + IN_ONE_STACK).entries()) {
        // Each in an inventory of its own: their names may be the same.
        const inventory = { url: `https://i${start + index}.example.com`, keySecret };
        all.push(problemsOf(() => build({ stack, common: { inventory, assets } }, `Object${index}`)));
      }
    }
  });
  return all;
}

/** Valid and invalid ones are both compared. */
function expectBothVerdicts(refused: readonly (readonly string[])[]): void {
  const count = refused.filter(({ length }) => length > 0).length;
  expect([count > RUNS / 5, refused.length - count > RUNS / 20]).toEqual([true, true]);
}

const states = fc.record({
  nodes: fc.array(node, { maxLength: 2 }),
  services: fc.array(service, { maxLength: 2 }),
  agents: fc.array(agent, { maxLength: 2 }),
});

test('inventory lint and InventoryFleet check a desired state', async () => {
  const all = fc.sample(states, RUNS).map(({ nodes, services, agents }) => ({
    nodes: [HOST, ...nodes],
    services,
    agents: [PROCESS, ...agents],
  }));
  const texts = all.map((desired) => JSON.stringify({ scope, ...desired }));
  const ofFleets = problemsOfAll(
    texts.map((text, index) => ({ stack, common }, id) => {
      const file = join(folder, `${index}.json`);
      writeFileSync(file, text);
      return new InventoryFleet(stack, id, { ...common, file });
    }),
  ).map(fieldsInLines);
  const ofServer: string[][] = [];
  for (const [index, desired] of all.entries()) {
    const fields = await refusedByServer(desired);
    ofServer.push(fields);
    const verdicts = { desired, ofLint: refusedByLint(texts[index]!), ofFleet: ofFleets[index] };
    expect(verdicts).toEqual({ desired, ofLint: fields, ofFleet: fields });
  }
  expectBothVerdicts(ofServer);
});

const desiredOf = (kind: ObjectKind, object: object) => ({
  nodes: [HOST, ...(kind === 'node' ? [object] : [])],
  services: kind === 'service' ? [object] : [],
  agents: [PROCESS, ...(kind === 'agent' ? [object] : [])],
});

const objects = { node, service, agent };

test.each(objectKinds)('the construct of a %s checks an object', async (kind) => {
  const all: any[] = fc.sample<object>(objects[kind], RUNS);
  const ofConstructs = problemsOfAll(
    all.map((object) => ({ stack, common }, id) => {
      if (kind === 'node') return new InventoryNode(stack, id, { ...common, node: object });
      if (kind === 'service') return new InventoryService(stack, id, { ...common, service: object });
      return new InventoryAgent(stack, id, { ...common, agent: object });
    }),
  ).map((problems) => fieldsIn(problems.map((text) => /: \w+\.(\S+?): /.exec(text)?.[1] ?? text)));
  const ofServer: string[][] = [];
  for (const [index, object] of all.entries()) {
    const fields = fieldsIn(
      (await refusedByServer(desiredOf(kind, object))).map((path) => path.split('.').slice(3).join('.')),
    );
    ofServer.push(fields);
    const ofConstruct = ofConstructs[index] ?? [];
    // The server checks values against rules for new ones when all others hold.
    const compared = fields.length === 0 ? ofConstruct : ofConstruct.filter((field) => fields.includes(field));
    expect({ object, fields: compared }).toEqual({ object, fields });
  }
  expectBothVerdicts(ofServer);
});
