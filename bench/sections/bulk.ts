import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { Table } from '../../shared/db/table.ts';
import { eventOf, openInvocations } from '../../tests/costs/invocation.ts';
import { meter } from '../../tests/costs/meter.ts';
import { startInventory } from '../inventory.ts';
import { newNode, putNodes } from '../nodes.ts';
import { ratio, table as markdown, verdict } from '../report.ts';
import type { Size } from '../size.ts';
import { median } from '../statistics.ts';

const OPERATIONS = 500;
const MOST_SECONDS = 20;
const PAGE_SIZE = 1000;
const TIMED_ROUNDS = 11;
const MOST_CAPACITY = 1.05;

const endSchema = z.object({ next_page_token: z.optional(z.string()) });

const additions = (count: number) =>
  Array.from({ length: count }, () => ({ node_type: 'generic', node_name: randomUUID(), address: '10.0.0.1' }));

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Every call of the table takes so much longer, as if it were over a network. */
const FAR_MS = 10;

function moveAway({ client }: Table): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      await delay(FAR_MS);
      return next(args);
    },
    { step: 'initialize', name: 'far' },
  );
}

/** A batch of adds beside as many adds one by one, and all together, by a single client without a network. */
async function batchTable(rounds: number): Promise<string> {
  const { services, stop } = await startInventory();
  try {
    const { invoke } = await openInvocations(services);
    const expect = async (id: string, url: string, status: number, body: object) => {
      const reply = await invoke(id, eventOf({ method: 'POST', url, body }));
      if (reply.statusCode !== status) throw new Error(reply.body);
    };
    const batched = () => {
      const operations = additions(OPERATIONS).map((body) => ({ op: 'addNode', body }));
      return timed(() => expect('runBatch', '/v1/batch', 200, { operations }));
    };
    const alone = () =>
      timed(async () => {
        for (const body of additions(OPERATIONS)) await expect('addNode', '/v1/nodes', 201, body);
      });
    const rows = async (where: string) => {
      const times: { batched: number[]; alone: number[] } = { batched: [], alone: [] };
      await batched();
      for (let round = 0; round < rounds; round += 1) {
        times.batched.push(await batched());
        times.alone.push(await alone());
      }
      const [one, other] = [median(times.batched), median(times.alone)];
      return [
        [`one by one, ${where}`, (other / 1000).toFixed(2), ratio(1), ''],
        [`a batch, ${where}`, (one / 1000).toFixed(2), ratio(one / other), verdict(one / 1000, MOST_SECONDS, ' s')],
      ];
    };
    const near = await rows('the table beside it');
    moveAway(services.table);
    const far = await rows(`a table ${FAR_MS} ms away`);
    return markdown([`${OPERATIONS} adds`, 'seconds', 'to one by one', 'target'], [...near, ...far]);
  } finally {
    await stop();
  }
}

/** An export read to its end: the first page, the deepest full one, and all of it. */
async function exportTable(objects: number): Promise<string> {
  const { services, stop } = await startInventory();
  try {
    await putNodes(
      services.table,
      Array.from({ length: objects }, (_, number) => newNode(number)),
    );
    const { invoke } = await openInvocations(services);
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
    const count = meter(services.table);
    const units = async (from: string | undefined) => {
      const calls = await count.during(() => read(from));
      return { calls: calls.length, units: calls.reduce((sum, call) => sum + call.units, 0) };
    };
    const [first, last] = [await units(undefined), await units(token)];
    const times: { first: number[]; last: number[] } = { first: [], last: [] };
    for (let round = 0; round < TIMED_ROUNDS; round += 1) {
      times.first.push(await timed(() => read(undefined)));
      times.last.push(await timed(() => read(token)));
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
            verdict(capacity, MOST_CAPACITY),
            ratio(median(times.last) / median(times.first)),
          ],
        ],
      ),
      `All ${objects.toLocaleString('en')} objects in ${tokens.length} pages: ${(whole / 1000).toFixed(1)} s.`,
    ].join('\n\n');
  } finally {
    await stop();
  }
}

export async function bulkSection({ batchRounds, objects }: Size): Promise<string> {
  return `${await batchTable(batchRounds)}\n\n${await exportTable(objects)}`;
}
