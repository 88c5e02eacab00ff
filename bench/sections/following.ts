import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { eventOf, openInvocations } from '../../tests/costs/invocation.ts';
import { meter } from '../../tests/costs/meter.ts';
import { startInventory } from '../inventory.ts';
import { newNode, putNodes } from '../nodes.ts';
import { ratio, table as markdown } from '../report.ts';
import type { Size } from '../size.ts';

const PAGE_SIZE = 1000;
const SECONDS = 60;

/** Of the objects, in these seconds. */
const CHANGING = 0.01;

/** The client begins when the order of the changes in the table is final. */
const BEGINS_AFTER_MS = 600_000;

const nodeSchema = z.object({ node_id: z.string(), revision: z.int() });
const pageSchema = z.object({ nodes: z.array(nodeSchema), next_page_token: z.optional(z.string()) });
const feedSchema = z.object({
  changes: z.array(z.object({ id: z.string(), revision: z.int() })),
  next: z.string(),
  more: z.boolean(),
});

interface Client {
  name: string;
  /** Seconds from one look to the next. */
  every: number;
  look: () => Promise<void>;
  /** The objects as it knows them: revisions by id. */
  copy: Map<string, number>;
  requests: number;
  bytes: number;
  compressed: number;
  units: number;
}

/** One minute in which one object of 100 changes: what it takes a client to know of that, by the feed and by lists. */
export async function followingSection({ objects }: Size): Promise<string> {
  const { dependencies, stop } = await startInventory();
  try {
    const nodes = Array.from({ length: objects }, (_, number) => newNode(number));
    await putNodes(dependencies.table, nodes);
    let now = Date.now() + BEGINS_AFTER_MS;
    const { invoke } = await openInvocations({ ...dependencies, clock: () => new Date(now) });
    const count = meter(dependencies.table);
    const ask = async (client: Client, id: string, url: string): Promise<unknown> => {
      const { statusCode, body } = await invoke(id, eventOf({ method: 'GET', url }));
      if (statusCode !== 200) throw new Error(`${url}: ${body}`);
      client.requests += 1;
      client.bytes += body.length;
      client.compressed += gzipSync(body).length;
      return JSON.parse(body);
    };

    const newClient = (name: string, every: number, look: (client: Client) => Promise<void>): Client => {
      const copy = new Map(nodes.map(({ node_id: id, revision }) => [id, revision]));
      const client: Client = {
        name,
        every,
        look: () => look(client),
        copy,
        requests: 0,
        bytes: 0,
        compressed: 0,
        units: 0,
      };
      return client;
    };
    const list = async (client: Client, query: string) => {
      for (let token = ''; ;) {
        const page = z.parse(
          pageSchema,
          await ask(client, 'listNodes', `/v1/nodes?page_size=${PAGE_SIZE}${query}${token}`),
        );
        for (const { node_id: id, revision } of page.nodes) client.copy.set(id, revision);
        if (page.next_page_token === undefined) return;
        token = `&page_token=${page.next_page_token}`;
      }
    };
    const cursors = new Map<Client, string>();
    const follow = async (client: Client) => {
      for (let more = true; more;) {
        const since = cursors.get(client) ?? 'now';
        const page = z.parse(
          feedSchema,
          await ask(client, 'listChanges', `/v1/changes?limit=${PAGE_SIZE}&since=${since}`),
        );
        for (const { id, revision } of page.changes) client.copy.set(id, revision);
        cursors.set(client, page.next);
        ({ more } = page);
      }
    };
    const beginning = new Date(now).toISOString();
    const clients = [
      newClient('lists, once', SECONDS, (client) => list(client, '')),
      newClient('lists by updated_since, once', SECONDS, (client) => list(client, `&updated_since=${beginning}`)),
      newClient('changes, every 10 s', 10, follow),
      newClient('changes, every second', 1, follow),
    ];
    // Its cursor is not part of the comparison.
    for (const client of clients) if (client.every < SECONDS) await client.look();
    for (const client of clients) Object.assign(client, { requests: 0, bytes: 0, compressed: 0, units: 0 });

    const changes = Math.round(objects * CHANGING);
    const truth = new Map(nodes.map(({ node_id: id, revision }) => [id, revision]));
    const beginningMs = now;
    for (let number = 0, second = 1; second <= SECONDS; second += 1) {
      for (; number < (changes * second) / SECONDS; number += 1) {
        now = beginningMs + (number * SECONDS * 1000) / changes;
        const id = nodes[(number * 97) % objects]?.node_id ?? '';
        const event = eventOf({ method: 'PATCH', url: `/v1/nodes/${id}`, body: { distro: randomUUID() } });
        const { statusCode, body } = await invoke('changeNode', event);
        if (statusCode !== 200) throw new Error(body);
        truth.set(id, z.parse(nodeSchema, JSON.parse(body)).revision);
      }
      now = beginningMs + second * 1000;
      for (const client of clients)
        if (second % client.every === 0)
          client.units += (await count.during(client.look)).reduce((sum, call) => sum + call.units, 0);
    }
    for (const { name, copy } of clients)
      for (const [id, revision] of truth)
        if (copy.get(id) !== revision) throw new Error(`${name}: the copy differs from the inventory`);

    const [polling] = clients;
    return `${objects.toLocaleString('en')} objects, ${changes.toLocaleString('en')} of them changed in ${SECONDS} s; each client ends with the same copy.\n\n${markdown(
      ['client', 'out of date by s', 'requests', 'kB', 'kB compressed', 'read units', 'units to lists'],
      clients.map((client) => [
        client.name,
        client.every,
        client.requests,
        Math.round(client.bytes / 1000),
        Math.round(client.compressed / 1000),
        client.units,
        ratio(client.units / (polling?.units ?? Number.NaN)),
      ]),
    )}`;
  } finally {
    await stop();
  }
}
