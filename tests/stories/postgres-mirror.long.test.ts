/** A follower that mirrors the inventory into PostgreSQL and is killed at random times. */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { DATABASE, type Postgres, startPostgres } from '../../bench/peer/postgres.ts';
import { exportAll } from '../../clients/typescript/src/flows.ts';
import { addAgent, addNode, changeNode, removeNode } from '../../clients/typescript/src/index.ts';
import { inFull } from '../../shared/testing/extent.ts';
import { Random, seedFrom } from '../consistency/random.ts';
import { eventually } from '../end-to-end/processes.ts';
import { assertCode, startStory, type Story } from './story.ts';

const seed = seedFrom('SEED');
const KILLS = inFull(20, 10);
const WRITERS = 3;

let story: Story;
let postgres: Postgres;
let database: Client;
let env: Record<string, string>;
beforeAll(async () => {
  [story, postgres] = await Promise.all([startStory({ hasCommandLine: false }), startPostgres()]);
  env = { PGHOST: postgres.socketFolder, PGUSER: DATABASE.user, PGDATABASE: DATABASE.database };
  database = new Client({ host: postgres.socketFolder, ...DATABASE });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await Promise.all([story.stop(), postgres.stop()]);
});

interface Row {
  kind: string;
  id: string;
  fields: object;
}

const inOrder = (rows: Row[]) =>
  rows.sort((left, right) => (`${left.kind}/${left.id}` < `${right.kind}/${right.id}` ? -1 : 1));

const mirrored = async () => inOrder((await database.query<Row>('SELECT kind, id, fields FROM objects')).rows);

/** Whether the follower has begun a transaction that changes rows. */
async function isWriting(): Promise<boolean> {
  const writing = 'SELECT 1 FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid()';
  return (await database.query(writing)).rows.length > 0;
}

async function exported(): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const { kind, object } of exportAll(story.admin))
    rows.push({ kind, id: (object as any)[`${kind}_id`], fields: object });
  return inOrder(rows);
}

/** Adds, changes and removes nodes with an agent, until there are no more kills. */
async function write(random: Random, writer: number, isOver: () => boolean): Promise<void> {
  for (let turn = 0; turn < 10 || !isOver(); turn += 1) {
    const name = `n-${writer}-${turn}`;
    const { node_id } = await addNode(story.admin, { node_type: 'generic', node_name: name, address: name });
    await addAgent(story.admin, { agent_type: 'pmm_agent', runs_on_node_id: node_id });
    const labels = { turn: String(turn), kept: 'yes' };
    const { revision } = await changeNode(story.admin, { node_id, custom_labels: labels, distro: 'd' }, { ifMatch: 1 });
    await changeNode(story.admin, { node_id, custom_labels: { kept: null }, distro: null }, { ifMatch: revision });
    if (random.chance(0.4)) await removeNode(story.admin, { node_id, force: true });
    await delay(random.below(100));
  }
}

test(`the table equals the export after ${KILLS} kills while ${WRITERS} programs write (SEED=${seed})`, async () => {
  const random = new Random(seed);
  await write(random.fork(), 99, () => true);
  let kills = 0;
  const writing = Promise.all(
    Array.from({ length: WRITERS }, (_, writer) => write(random.fork(), writer, () => kills >= KILLS)),
  );
  for (; kills < KILLS; kills += 1) {
    const child = story.start('postgres-mirror.ts', { role: 'Viewer', env });
    const closed = once(child, 'close');
    // Within a transaction, or at any time: before it is connected, during the export, or while it waits.
    if (kills % 2 === 0) await eventually(isWriting);
    else await delay(random.below(1200));
    child.kill('SIGKILL');
    expect((await closed)[1]).toBe('SIGKILL');
  }
  await writing;
  assertCode(await story.run('postgres-mirror.ts', { role: 'Viewer', env, args: ['--once'] }));
  const rows = await mirrored();
  expect(rows.length).toBeGreaterThan(20);
  expect(rows).toEqual(await exported());
});
