import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { Table } from '../../shared/db/table.ts';
import { resultsSchema } from '../../functions/domain/bulk/batch-result.ts';
import { eventOf, openInvocations, type Request } from '../../tests/costs/invocation.ts';
import { meter } from '../../tests/costs/meter.ts';
import { startInventory } from '../inventory.ts';
import { newNode, putNodes } from '../nodes.ts';
import { ratio, table as markdown } from '../report.ts';
import type { Size } from '../size.ts';
import { median } from '../statistics.ts';
import type { Targets } from '../targets.ts';

const OPERATIONS = 500;
const MOST_SECONDS = 20;
const PAGE_SIZE = 1000;
const TIMED_ROUNDS = 11;
const MOST_CAPACITY = 1.05;

const endSchema = z.object({ next_page_token: z.optional(z.string()) });

const additions = (count: number) =>
  Array.from({ length: count }, () => ({ node_type: 'generic', node_name: randomUUID(), address: '10.0.0.1' }));

const inRegion = (count: number) =>
  additions(count).map((body) => ({ ...body, node_type: 'remote_rds', address: body.node_name, region: 'eu' }));

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Every call of the table takes so much longer, as if it were over a network. */
const FAR_MS = 10;

function moveAway({ client }: Table): void {
  client.use((next) => async (call) => {
    await delay(FAR_MS);
    return next(call);
  });
}

/** What is sent one by one and as a batch. */
interface Work {
  what: string;
  bodies: () => ReturnType<typeof additions>;
  op: 'addNode' | 'upsertNode';
  /** The plain calls that it stands beside. */
  plain: 'addNode' | 'upsertNode';
}

/** As batches and as many calls one by one, all together, by a single client without a network. */
async function batchTable(rounds: number, targets: Targets): Promise<string> {
  const { dependencies, stop } = await startInventory();
  try {
    const { invoke } = await openInvocations(dependencies);
    const send = async (id: string, request: Request, status: number) => {
      const reply = await invoke(id, eventOf(request));
      if (reply.statusCode !== status) throw new Error(reply.body);
      return reply.body;
    };
    const batched = async ({ op, bodies }: Work) => {
      const operations = bodies().map((body) => ({ op, body }));
      const request = { method: 'POST', url: '/v1/batch', body: { operations } };
      let reply = '';
      const spent = await timed(async () => (reply = await send('runBatch', request, 200)));
      const failed = z.parse(resultsSchema, JSON.parse(reply)).results.find(({ status }) => status >= 300);
      // What was not begun in the time of the request is no target met.
      if (failed?.status === 503) return Infinity;
      if (failed !== undefined) throw new Error(JSON.stringify(failed));
      return spent;
    };
    const alone = ({ plain, bodies }: Work) => {
      const all = bodies();
      return timed(async () => {
        for (const { node_name: name, ...rest } of all)
          if (plain === 'addNode')
            await send(plain, { method: 'POST', url: '/v1/nodes', body: { node_name: name, ...rest } }, 201);
          else await send(plain, { method: 'PUT', url: `/v1/nodes/by-name/${name}`, body: rest }, 200);
      });
    };
    const there = additions(OPERATIONS);
    const works: Work[] = [
      { what: 'adds', bodies: () => additions(OPERATIONS), op: 'addNode', plain: 'addNode' },
      { what: 'declarations, unchanged', bodies: () => there, op: 'upsertNode', plain: 'upsertNode' },
      // Any of them may have what another one takes: whose it is, is read first.
      {
        what: 'declarations of nodes with a region, added',
        bodies: () => inRegion(OPERATIONS),
        op: 'upsertNode',
        plain: 'addNode',
      },
    ];
    const rowsOf = async (work: Work, where: string) => {
      const times: { batched: number[]; alone: number[] } = { batched: [], alone: [] };
      await batched(work);
      for (let round = 0; round < rounds; round += 1) {
        times.batched.push(await batched(work));
        times.alone.push(await alone(work));
      }
      const [one, other] = [median(times.batched), median(times.alone)];
      return [
        [work.what, where, `${work.plain} one by one`, (other / 1000).toFixed(2), ratio(1), ''],
        [
          work.what,
          where,
          'a batch',
          (one / 1000).toFixed(2),
          ratio(one / other),
          targets.add({
            name: `a batch of ${work.what}, the table ${where}`,
            value: one / 1000,
            limit: { atMost: MOST_SECONDS },
            unit: ' s',
          }),
        ],
      ];
    };
    const rows = [];
    for (const work of works) rows.push(...(await rowsOf(work, 'beside it')));
    moveAway(dependencies.table);
    for (const work of works) rows.push(...(await rowsOf(work, `${FAR_MS} ms away`)));
    return markdown([`${OPERATIONS}`, 'the table', 'sent', 'seconds', 'to one by one', 'target'], rows);
  } finally {
    await stop();
  }
}

/** An export read to its end: the first page, the deepest full one, and all of it; beside the plain list of the same. */
async function exportTable(objects: number, targets: Targets): Promise<string> {
  const { dependencies, stop } = await startInventory();
  try {
    await putNodes(
      dependencies.table,
      Array.from({ length: objects }, (_, number) => newNode(number)),
    );
    const { invoke } = await openInvocations(dependencies);
    const read = async (token: string | undefined) => {
      const from = token === undefined ? '' : `&page_token=${token}`;
      const url = `/v1/export?page_size=${PAGE_SIZE}${from}`;
      const { statusCode, body } = await invoke('exportInventory', eventOf({ method: 'GET', url }));
      if (statusCode !== 200) throw new Error(body);
      const lines = body.trimEnd().split('\n');
      return { objects: lines.length - 1, ...z.parse(endSchema, JSON.parse(lines.at(-1) ?? '')) };
    };
    const tokens: (string | undefined)[] = [undefined];
    let seen = 0;
    const whole = await timed(async () => {
      for (const token of tokens) {
        const page = await read(token);
        seen += page.objects;
        if (page.next_page_token !== undefined) tokens.push(page.next_page_token);
      }
    });
    if (seen !== objects) throw new Error(`the export held ${seen} objects of ${objects}`);
    const deepest = Math.floor(objects / PAGE_SIZE);
    const token = tokens[deepest - 1];
    const count = meter(dependencies.table);
    const units = async (from: string | undefined) => {
      const calls = await count.during(() => read(from));
      return { calls: calls.length, units: calls.reduce((sum, call) => sum + call.units, 0) };
    };
    const list = async () => {
      const url = `/v1/nodes?page_size=${PAGE_SIZE}`;
      const { statusCode, body } = await invoke('listNodes', eventOf({ method: 'GET', url }));
      if (statusCode !== 200) throw new Error(body);
    };
    const [first, last] = [await units(undefined), await units(token)];
    const listCalls = await count.during(list);
    const listUnits = listCalls.reduce((sum, call) => sum + call.units, 0);
    const times: { first: number[]; last: number[]; list: number[] } = { first: [], last: [], list: [] };
    for (let round = 0; round < TIMED_ROUNDS; round += 1) {
      times.first.push(await timed(() => read(undefined)));
      times.last.push(await timed(() => read(token)));
      times.list.push(await timed(list));
    }
    const capacity = last.units / first.units;
    return [
      markdown(
        ['page', 'calls', 'read units', 'to page 1', 'target', 'time to page 1'],
        [
          ['1', first.calls, first.units, ratio(1), '', ratio(1)],
          [
            deepest.toLocaleString('en'),
            last.calls,
            last.units,
            ratio(capacity),
            targets.add({
              name: 'read units of the deepest page of an export over the first',
              value: capacity,
              limit: { atMost: MOST_CAPACITY },
            }),
            ratio(median(times.last) / median(times.first)),
          ],
          [
            `listNodes, ${PAGE_SIZE}`,
            listCalls.length,
            listUnits,
            ratio(listUnits / first.units),
            '',
            ratio(median(times.list) / median(times.first)),
          ],
        ],
      ),
      `All ${objects.toLocaleString('en')} objects in ${tokens.length} pages: ${(whole / 1000).toFixed(1)} s.`,
    ].join('\n\n');
  } finally {
    await stop();
  }
}

export async function bulkSection({ batchRounds, objects }: Size, targets: Targets): Promise<string> {
  return `${await batchTable(batchRounds, targets)}\n\n${await exportTable(objects, targets)}`;
}
