import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { isWrite, meter } from '../../tests/costs/meter.ts';
import { eventOf, openInvocations, type Request } from '../../tests/costs/invocation.ts';
import { startInventory } from '../inventory.ts';
import { newNode, putNodes } from '../nodes.ts';
import { ratio, table as markdown } from '../report.ts';
import type { Size } from '../size.ts';
import { cpuMicroseconds, median, shuffled } from '../statistics.ts';

const WARM_UP_ROUNDS = 3;
const PAGE_SIZE = 100;

/** Nodes in the list, and how many of them a selective selector finds. */
const NODES = 2000;
const RARE = 10;

interface Case {
  name: string;
  /** The plain call that it stands beside; its own name for one of these. */
  plain: string;
  id: string;
  request: (number: number) => Request;
}

const nameOf = (number: number) => `declared-${String(number).padStart(6, '0')}`;
const bodyOf = (node_name: string, distro: string) => ({
  node_type: 'generic',
  node_name,
  address: '10.0.0.1',
  distro,
});
const upsert = (name: string, distro: string): Request => {
  const { node_name: _, ...body } = bodyOf(name, distro);
  return { method: 'PUT', url: `/v1/nodes/by-name/${name}`, body };
};
const list = (selector?: string): Request => {
  const query = selector === undefined ? '' : `&selector=${encodeURIComponent(selector)}`;
  return { method: 'GET', url: `/v1/nodes?page_size=${PAGE_SIZE}${query}` };
};

const addedSchema = z.object({ node_id: z.string() });

/** Declarations beside reads, changes and adds; lists by selector beside the plain list: processor time and units, in one run. */
export async function declarationSection({ cpuRounds, cpuBatch }: Size): Promise<string> {
  const { dependencies, stop } = await startInventory();
  try {
    const nodes = Array.from({ length: NODES }, (_, number) => {
      const node = newNode(number);
      const labels = { ...node.custom_labels, ...(number % (NODES / RARE) === 0 ? { rare: 'yes' } : {}) };
      return { ...node, custom_labels: labels };
    });
    await putNodes(dependencies.table, nodes);
    const count = meter(dependencies.table);
    const { invoke } = await openInvocations(dependencies);
    const send = async (id: string, request: Request) => {
      const reply = await invoke(id, eventOf(request));
      if (reply.statusCode >= 300) throw new Error(`${id}: ${reply.body}`);
      return reply.body;
    };
    const ids = await Promise.all(
      Array.from({ length: cpuBatch }, async (_, number) => {
        const body = bodyOf(nameOf(number), 'first');
        const text = await send('addNode', { method: 'POST', url: '/v1/nodes', body });
        return z.parse(addedSchema, JSON.parse(text)).node_id;
      }),
    );
    const urlOf = (number: number) => `/v1/nodes/${ids[number % ids.length] ?? ''}`;
    const nth = (number: number) => nameOf(number % ids.length);
    const lists = 'listNodes, 100';
    const cases: Case[] = [
      {
        name: 'getNode',
        plain: 'getNode',
        id: 'getNode',
        request: (number) => ({ method: 'GET', url: urlOf(number) }),
      },
      { name: 'upsertNode, unchanged', plain: 'getNode', id: 'upsertNode', request: (n) => upsert(nth(n), 'first') },
      {
        name: 'changeNode',
        plain: 'changeNode',
        id: 'changeNode',
        request: (number) => ({ method: 'PATCH', url: urlOf(number), body: { distro: randomUUID() } }),
      },
      {
        name: 'upsertNode, changed',
        plain: 'changeNode',
        id: 'upsertNode',
        request: (n) => upsert(nth(n), randomUUID()),
      },
      {
        name: 'addNode',
        plain: 'addNode',
        id: 'addNode',
        request: () => ({ method: 'POST', url: '/v1/nodes', body: bodyOf(randomUUID(), 'first') }),
      },
      { name: 'upsertNode, added', plain: 'addNode', id: 'upsertNode', request: () => upsert(randomUUID(), 'first') },
      { name: lists, plain: lists, id: 'listNodes', request: () => list() },
      { name: `selector that ${RARE} match`, plain: lists, id: 'listNodes', request: () => list('rare=yes') },
      { name: 'selector that all match', plain: lists, id: 'listNodes', request: () => list('team=payments') },
      { name: 'selector without an index', plain: lists, id: 'listNodes', request: () => list('team!=shop') },
    ];

    const times = new Map(cases.map((one) => [one, new Array<number>()]));
    for (let round = 0; round < WARM_UP_ROUNDS + cpuRounds; round += 1) {
      // What is changed has to be as it is declared to be unchanged.
      for (const number of ids.keys()) await send('upsertNode', upsert(nth(number), 'first'));
      const changing = cases.filter(({ plain }) => plain === 'changeNode');
      const others = cases.filter(({ plain }) => plain !== 'changeNode');
      for (const one of [...shuffled(others), ...shuffled(changing)]) {
        const requests = Array.from({ length: cpuBatch }, (_, number) => one.request(number));
        const spent = await cpuMicroseconds(async () => {
          for (const request of requests) await send(one.id, request);
        });
        if (round >= WARM_UP_ROUNDS) times.get(one)?.push(spent / cpuBatch);
      }
    }
    for (const number of ids.keys()) await send('upsertNode', upsert(nth(number), 'first'));

    const cpu = new Map(cases.map((one) => [one.name, median(times.get(one) ?? [])]));
    const rows = [];
    for (const { name, plain, id, request } of cases) {
      const calls = await count.during(() => send(id, request(0)));
      const units = (writes: boolean) =>
        calls.filter((call) => isWrite(call) === writes).reduce((sum, call) => sum + call.units, 0);
      const own = cpu.get(name) ?? Number.NaN;
      rows.push([
        name,
        calls.length,
        units(false),
        units(true),
        Math.round(own),
        name === plain ? '' : `${ratio(own / (cpu.get(plain) ?? Number.NaN))} ${plain}`,
      ]);
    }
    return markdown(['request', 'calls', 'read units', 'write units', 'CPU us', 'CPU to'], rows);
  } finally {
    await stop();
  }
}
