import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openTable, type Table } from '../../shared/db/table.ts';
import { Random } from '../consistency/random.ts';
import type { MonotonicClock } from '../../shared/core/monotonic-clock.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { startEngineProcess } from '../support/engine-process.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { type FaultProxy, startProxy } from './proxy.ts';

/**
 * An inventory whose functions reach their table through a proxy that makes trouble, with the client of production
 * (`openTable`); `table` goes past the trouble. The engine keeps its data in a folder, so that it can be killed.
 */
export interface FaultyInventory extends Inventory {
  proxy: FaultProxy;
  random: Random;
  /** Other instances of the functions take over, as after a cold start. */
  newInstances: () => void;
  /** kill -9. */
  killEngine: () => Promise<void>;
  /** Starts it again with the data that it left behind. */
  restartEngine: () => Promise<void>;
  /** How often it was started again. */
  restarts: () => number;
  /** Keeps the data of this moment. The result brings it back, as often as it is called. */
  keepData: () => Promise<() => Promise<void>>;
}

/**
 * Instances of the functions, each with its own client, which may repeat a limited number of calls. In the cloud each concurrent request
 * has an instance; of all requests to every endpoint some five share one here.
 */
const INSTANCES = 40;

/** Does something that looks into the environment, as production does, while this is in there. Never two at a time. */
async function inEnvironment<T>(more: NodeJS.ProcessEnv, work: () => Promise<T>): Promise<T> {
  const given = process.env;
  process.env = { ...given, ...more };
  try {
    return await work();
  } finally {
    process.env = given;
  }
}

/** Clients of production. How much one of them may retry in a bad time is limited, so there are several. */
function openInstances(name: string, endpoint: string): Table[] {
  const environment = {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: 'local',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  };
  return Array.from({ length: INSTANCES }, () => openTable(name, environment));
}

/**
 * @param monotonic the clock of deadlines; default: `passing` of the inventory, so that no deadline passes by itself.
 * @param clock the time of day; default: it does not pass, so that no lease ends by itself.
 */
export async function startFaultyInventory(
  seed: number,
  monotonic?: MonotonicClock,
  clock?: () => Date,
): Promise<FaultyInventory> {
  const random = new Random(seed);
  const dataDir = await newDataDir();
  const start = () => startEngineProcess(dataDir);
  let engine = await start();
  let restarts = 0;
  const upstream = () => engine.endpoint;
  const [clear, proxy] = await Promise.all([startProxy(upstream, random.fork()), startProxy(upstream, random.fork())]);

  let instances: Table[] = [];
  let next = 0;
  const inTurn = ({ name }: Table): Table => {
    const send = (command: never) => instances[(next += 1) % INSTANCES]!.client.send(command);
    return { name, client: { send } as unknown as Table['client'] };
  };
  const inventory = await inEnvironment({ DYNAMODB_ENDPOINT: clear.endpoint }, () =>
    startInventory({
      table: inTurn,
      ...(monotonic === undefined ? {} : { monotonic }),
      ...(clock === undefined ? {} : { clock }),
    }),
  );
  const endInstances = () => {
    for (const { client } of instances) client.destroy();
  };
  const newInstances = () => {
    endInstances();
    instances = openInstances(inventory.table.name, proxy.endpoint);
  };
  newInstances();

  return {
    ...inventory,
    proxy,
    random,
    newInstances,
    killEngine: () => engine.kill(),
    restartEngine: async () => {
      engine = await start();
      restarts += 1;
    },
    restarts: () => restarts,
    keepData: async () => {
      const kept = join(dataDir, 'kept');
      await engine.stop();
      const files = (await readdir(dataDir)).filter(isData);
      await mkdir(kept);
      for (const name of files) await copyFile(join(dataDir, name), join(kept, name));
      engine = await start();
      return async () => {
        await engine.stop();
        for (const name of (await readdir(dataDir)).filter(isData)) await rm(join(dataDir, name));
        for (const name of files) await copyFile(join(kept, name), join(dataDir, name));
        engine = await start();
      };
    },
    stop: async () => {
      endInstances();
      await proxy.stop();
      await clear.stop();
      await engine.stop();
      await removeDataDir(dataDir);
    },
  };
}

/** Of the engine: the database and its log. */
const isData = (name: string) => name.startsWith('inventory.sqlite');

export const uniqueName = (what: string) => `${what} ${randomUUID()}`;

/** An address that no other node has. */
export const uniqueAddress = () => `a-${randomUUID()}`;
