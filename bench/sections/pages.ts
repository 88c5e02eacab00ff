import * as z from 'zod/mini';
import { eventOf, openInvocations } from '../../tests/costs/invocation.ts';
import { meter } from '../../tests/costs/meter.ts';
import { startInventory } from '../inventory.ts';
import { newNode, putNodes } from '../nodes.ts';
import { ratio, table as markdown } from '../report.ts';
import type { Size } from '../size.ts';
import { median } from '../statistics.ts';
import type { Targets } from '../targets.ts';

const PAGE_SIZE = 100;
const TIMED_ROUNDS = 41;
const MOST_CAPACITY = 1.05;

const pageSchema = z.object({ nodes: z.array(z.unknown()), next_page_token: z.optional(z.string()) });

/** Reads a long list to its end, page by page, and compares the first page with the deepest. */
export async function pageSection({ objects }: Size, targets: Targets): Promise<string> {
  const { dependencies, stop } = await startInventory();
  try {
    await putNodes(
      dependencies.table,
      Array.from({ length: objects }, (_, number) => newNode(number)),
    );
    const { invoke } = await openInvocations(dependencies);
    const read = async (token: string | undefined) => {
      const from = token === undefined ? '' : `&page_token=${token}`;
      const event = eventOf({ method: 'GET', url: `/v1/nodes?page_size=${PAGE_SIZE}${from}` });
      const start = performance.now();
      const { statusCode, body } = await invoke('listNodes', event);
      const milliseconds = performance.now() - start;
      if (statusCode !== 200) throw new Error(body);
      return { milliseconds, ...z.parse(pageSchema, JSON.parse(body)) };
    };

    // To the end: the deepest page is the last that is full. The list may end with a page of nothing.
    const deepest = objects / PAGE_SIZE;
    const tokens: (string | undefined)[] = [undefined];
    let seen = 0;
    for (const token of tokens) {
      const page = await read(token);
      seen += page.nodes.length;
      if (page.next_page_token !== undefined) tokens.push(page.next_page_token);
    }
    if (seen !== objects) throw new Error(`the pages held ${seen} objects of ${objects}`);
    const token = tokens[deepest - 1];

    const count = meter(dependencies.table);
    const units = async (token: string | undefined) => {
      const calls = await count.during(() => read(token));
      return { calls: calls.length, units: calls.reduce((sum, call) => sum + call.units, 0) };
    };
    const [first, last] = [await units(undefined), await units(token)];
    const times: { first: number[]; last: number[] } = { first: [], last: [] };
    for (let round = 0; round < TIMED_ROUNDS; round += 1) {
      times.first.push((await read(undefined)).milliseconds);
      times.last.push((await read(token)).milliseconds);
    }
    const capacity = last.units / first.units;
    return markdown(
      ['page', 'calls', 'read units', 'to page 1', 'target', 'time to page 1'],
      [
        ['1', first.calls, first.units, ratio(1), '', ratio(1)],
        [
          deepest.toLocaleString('en'),
          last.calls,
          last.units,
          ratio(capacity),
          targets.add({
            name: 'read units of the deepest page over the first',
            value: capacity,
            limit: { atMost: MOST_CAPACITY },
          }),
          ratio(median(times.last) / median(times.first)),
        ],
      ],
    );
  } finally {
    await stop();
  }
}
