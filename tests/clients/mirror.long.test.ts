/**
 * `mirror` and `followChanges` of the TypeScript client against random changes, killed at random times. A longer run:
 * `CHANGES=20000 KILLS=200 npm run jest -- tests/clients/mirror.long.test.ts`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { exportAll, followChanges } from '../../clients/typescript/src/flows.ts';
import { type Change, type Client, createClient, listNodes } from '../../clients/typescript/src/index.ts';
import { addAgent, addNode, changeNode, removeNode } from '../../clients/typescript/src/index.ts';
import { nodeFetch } from '../../clients/typescript/src/node.ts';
import { inFull } from '../../shared/testing/extent.ts';
import { countFrom, Random, seedFrom } from '../consistency/random.ts';
import { makeKeys, PASSWORD } from '../end-to-end/client.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { type RunningServer, startServer } from '../support/server.ts';

const seed = seedFrom('SEED');
const CHANGES = countFrom('CHANGES', inFull(8_000, 100));
/** Of each program. */
const KILLS = countFrom('KILLS', inFull(80, 3));
const WRITERS = 4;

let folder: string;
let server: RunningServer;
let client: Client;
let key: string;
beforeAll(async () => {
  folder = await newDataDir();
  server = await startServer(join(folder, 'data'), { environment: { ADMIN_PASSWORD: PASSWORD } });
  ({ Editor: key } = (await makeKeys(server)).keys);
  const ca = await readFile(join(folder, 'data', 'tls-cert.pem'), 'utf8');
  // A busy machine refuses some requests for a while.
  client = createClient({ url: server.base, key, fetch: nodeFetch({ ca }), attempts: 20 });
});
afterAll(async () => {
  await server.stop();
  await removeDataDir(folder);
});

type Program = 'mirror' | 'follower';

const fileOf = (program: Program) => join(folder, `${program}.txt`);

/** Starts the program in the file of its name. */
function start(program: Program, how: 'once' | 'follow') {
  const path = fileURLToPath(new URL(`${program}.ts`, import.meta.url));
  const words = [path, server.base, join(folder, 'data', 'tls-cert.pem'), fileOf(program), how];
  return spawn(process.execPath, words, {
    env: { ...process.env, INVENTORY_KEY: key },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Starts the program again and again, and kills it each time within these milliseconds. */
async function killAtRandom(program: Program, random: Random, longest: number): Promise<void> {
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const child = start(program, 'follow');
    const exited = once(child, 'exit');
    await delay(random.below(longest));
    child.kill('SIGKILL');
    await exited;
  }
}

/** Lets the program read the rest. @returns its file. */
async function finish(program: Program): Promise<string> {
  expect((await once(start(program, 'once'), 'exit'))[0]).toBe(0);
  return readFile(fileOf(program), 'utf8');
}

/** Adds, changes and removes nodes with an agent. */
async function write(random: Random, writer: number, turns: number, onTurn: () => void): Promise<void> {
  for (let turn = 0; turn < turns; turn += 5) {
    const name = `n-${writer}-${turn}`;
    const { node_id } = await addNode(client, {
      node_type: 'generic',
      node_name: name,
      address: 'a',
      region: 'eu-1',
    }).catch(() => addNode(client, { node_type: 'generic', node_name: name, address: name }));
    await addAgent(client, { agent_type: 'pmm_agent', runs_on_node_id: node_id });
    const labels = { [`l${random.below(3)}`]: String(turn), kept: 'yes' };
    // Without If-Match: on a busy machine a change can be repeated whose first reply came too late.
    await changeNode(client, { node_id, custom_labels: labels, distro: `d${turn}` });
    await changeNode(client, { node_id, custom_labels: { kept: null }, distro: null });
    if (random.chance(0.4)) await removeNode(client, { node_id, force: true });
    onTurn();
  }
}

interface ListedObject {
  kind: string;
  id: string;
  fields: object;
}

/** The objects in one order. */
function textOf(objects: readonly ListedObject[]): string {
  const keyOf = ({ kind, id }: ListedObject) => `${kind}/${id}`;
  return JSON.stringify(objects.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1)).map(canonical));
}

async function exported(): Promise<string> {
  const objects: ListedObject[] = [];
  for await (const { kind, object } of exportAll(client))
    objects.push({ kind, id: (object as any)[`${kind}_id`], fields: object });
  return textOf(objects);
}

/** The objects after all changes of an inventory that was empty before. */
function objectsAfter(changes: readonly Change[]): ListedObject[] {
  const objects = new Map<string, ListedObject>();
  for (const { kind, id, action, revision, before = {}, after = {} } of changes) {
    if (action === 'removed') {
      objects.delete(id);
      continue;
    }
    const cleared = new Set(Object.keys(before).filter((name) => !Object.hasOwn(after, name)));
    const kept = Object.entries(objects.get(id)?.fields ?? {}).filter(([name]) => !cleared.has(name));
    objects.set(id, { kind, id, fields: { ...Object.fromEntries(kept), ...after, revision } });
  }
  return [...objects.values()];
}

/** With sorted names: a change adds its fields at the end. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, canonical(inner)]));
}

test(`a mirror and a follower that are killed at random times while ${WRITERS} programs write end equal to the export (SEED=${seed})`, async () => {
  const random = new Random(seed);
  const { value: first } = await followChanges(client, { since: 'now' }).next();
  await writeFile(fileOf('follower'), `${JSON.stringify(first)}\n`);
  await write(random.fork(), 99, 20, () => undefined);
  let turns = 0;
  const writing = Promise.all(
    Array.from({ length: WRITERS }, (_, writer) => write(random.fork(), writer, CHANGES / WRITERS, () => (turns += 1))),
  );
  const begin = performance.now();
  await finish('follower');
  // Time to start and to work, or not, also on a busy machine.
  const longest = Math.ceil(2 * (performance.now() - begin));
  const killing = (['mirror', 'follower'] as const).map((program) => killAtRandom(program, random.fork(), longest));
  await Promise.all(killing);
  await writing;
  const all = await exported();
  const copy: { objects: ListedObject[] } = JSON.parse(await finish('mirror'));
  expect(textOf(copy.objects)).toBe(all);
  expect(copy.objects.length).toBeGreaterThan(turns);
  const pages = (await finish('follower')).trimEnd().split('\n');
  const changes = pages.flatMap((line) => (JSON.parse(line) as { changes: Change[] }).changes);
  expect(textOf(objectsAfter(changes))).toBe(all);
  expect(new Set(changes.map(({ change_id }) => change_id)).size).toBe(changes.length);
});

test('a follower that restarts with its stored cursor misses no change and repeats none', async () => {
  const { value: first } = await followChanges(client, { since: 'now' }).next();
  let cursor = first!.cursor;
  const seen: Change[] = [];
  const { node_id } = await addNode(client, { node_type: 'generic', node_name: 'followed', address: 'followed' });
  for (let revision = 1; revision < 8; revision += 1) {
    await changeNode(client, { node_id, distro: `d${revision}` }, { ifMatch: revision });
    for await (const page of followChanges(client, { since: cursor, once: true })) {
      seen.push(...page.changes);
      ({ cursor } = page);
    }
  }
  const revisions = seen.filter(({ id }) => id === node_id).map(({ revision }) => revision);
  expect(revisions).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(new Set(seen.map(({ change_id }) => change_id)).size).toBe(seen.length);
});

test('a cursor of another server is refused', async () => {
  const error = await followChanges(client, { since: 'xyz' })
    .next()
    .catch((caught: unknown) => caught);
  expect(error).toMatchObject({ http: 400, operation: 'listChanges' });
});

test('an aborted follower ends with the reason, also while it waits for changes', async () => {
  const { value: first } = await followChanges(client, { since: 'now' }).next();
  const controller = new AbortController();
  const reason = new Error('enough');
  const next = followChanges(client, { since: first!.cursor, signal: controller.signal, kinds: ['service'] }).next();
  controller.abort(reason);
  await expect(next).rejects.toBe(reason);
  expect((await listNodes(client, { page_size: 1 })).nodes).toHaveLength(1);
});
