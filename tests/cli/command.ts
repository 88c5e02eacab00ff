import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../clients/cli/src/run.ts';
import type { Clock } from '../../clients/cli/src/core/clock.ts';
import type { World } from '../../clients/cli/src/core/world.ts';
import { manualClock, turnOfTheLoop } from '../support/manual-clock.ts';
import { type Inventory, type InventoryOptions, startInventory } from '../support/inventory.ts';

export const ADDRESS = 'http://inventory';

export interface CommandResult {
  code: number;
  out: string;
  err: string;
  /** The lines of the standard output as words. */
  rows: string[][];
  /** The standard output as JSON. */
  json: () => any;
}

export interface CommandLine {
  inventory: Inventory;
  home: string;
  /** `GET /v1/nodes` ..., of all commands. */
  sent: string[];
  /** Sends a request to the inventory. */
  fetch: NonNullable<World['fetch']>;
  /** Runs a command in this process; by default with the key of an Admin in the environment. */
  inventoryCommand: (argv: readonly string[], world?: Partial<World>) => Promise<CommandResult>;
  stop: () => Promise<void>;
}

/** A `fetch` of an inventory in this process. */
const fetchOf =
  (inventory: Inventory, sent: string[]): NonNullable<World['fetch']> =>
  async (url, { method, headers, body, signal }) => {
    if (!url.startsWith(`${ADDRESS}/`)) throw new TypeError(`connect ECONNREFUSED ${url}`);
    const path = url.slice(ADDRESS.length);
    sent.push(`${method} ${path}`);
    const given = headers;
    const reply = await inventory.request(method, path, { as: null, headers: given, ...(body ? { body } : {}) });
    signal?.throwIfAborted();
    const { 'Content-Encoding': _, ...rest } = reply.headers;
    const hasBody = ![204, 304].includes(reply.status);
    return new Response(hasBody ? reply.text : null, { status: reply.status, headers: rest });
  };

/** A clock of commands at the time of the inventory. Their pauses take no time, and move it. */
function clockOf({ dependencies }: Inventory): Clock {
  const { now, after, advance } = manualClock();
  return {
    now: () => dependencies.clock().getTime(),
    elapsed: now,
    pause: async (milliseconds, signal) => {
      await turnOfTheLoop();
      signal?.throwIfAborted();
      advance(milliseconds);
      signal?.throwIfAborted();
    },
    after: (milliseconds, work) => after(milliseconds, work),
  };
}

export async function startCommandLine(options: InventoryOptions = {}): Promise<CommandLine> {
  const inventory = await startInventory(options);
  const home = await mkdtemp(join(tmpdir(), 'inventory-cli-'));
  const clock = clockOf(inventory);
  const sent: string[] = [];
  const fetch = fetchOf(inventory, sent);
  return {
    inventory,
    home,
    sent,
    fetch,
    inventoryCommand: async (argv, world = {}) => {
      let [out, err] = ['', ''];
      const code = await run(argv, {
        out: (text) => (out += text),
        err: (text) => (err += text),
        readInput: () => Promise.resolve(''),
        ask: undefined,
        signal: new AbortController().signal,
        leaving: new AbortController().signal,
        fetch,
        clock,
        ...world,
        env: { HOME: home, ...(world.env ?? { INVENTORY_URL: ADDRESS, INVENTORY_KEY: inventory.keys.Admin }) },
      });
      const rows = out
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ {3,}/));
      return { code, out, err, rows, json: () => JSON.parse(out) };
    },
    stop: async () => {
      await inventory.stop();
      await rm(home, { recursive: true });
    },
  };
}
