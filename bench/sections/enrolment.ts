import * as z from 'zod/mini';
import { withConflicts } from '../../tests/support/conflicts.ts';
import { eventOf, openInvocations } from '../../tests/costs/invocation.ts';
import { startInventory } from '../inventory.ts';
import { table as markdown } from '../report.ts';
import type { Size } from '../size.ts';
import { quantile } from '../statistics.ts';
import type { Targets } from '../targets.ts';

const AT_ONCE = 16;

/** How long a transaction excludes others from its items. A usual time of DynamoDB. */
const TRANSACTION_MS = 10;

const MOST_SECONDS = 600;

const tokenSchema = z.object({ token: z.string() });

/** Does the work for each number, a fixed number of them at once. */
async function forEach(count: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (;;) {
      const number = next;
      next += 1;
      if (number >= count) return;
      await work(number);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/**
 * Hosts that enrol, each with its own token. The embedded engine refuses no transaction because of another one; the
 * table of this section does, as DynamoDB.
 */
export async function enrolmentSection({ hosts }: Size, targets: Targets): Promise<string> {
  const { dependencies, stop } = await startInventory();
  try {
    const { table, refused } = withConflicts(dependencies.table, TRANSACTION_MS);
    const { invoke } = await openInvocations({ ...dependencies, table });
    const tokens: string[] = [];
    await forEach(hosts, async () => {
      const body = { name: 'host', allowed_addresses: ['10.0.0.0/8'], time_to_live: '24h' };
      for (;;) {
        const event = eventOf({ method: 'POST', url: '/v1/enrolment-tokens', body });
        const { statusCode, body: text } = await invoke('addEnrolmentToken', event);
        if (statusCode === 201) tokens.push(z.parse(tokenSchema, JSON.parse(text)).token);
        else if (statusCode !== 503) throw new Error(text);
        if (statusCode === 201) return;
      }
    });
    const before = refused();
    const replies = new Map<number, number>();
    const refusals = new Set<string>();
    const waited: number[] = [];
    const start = performance.now();
    await forEach(hosts, async (number) => {
      const node = { node_type: 'generic', node_name: `web-${number}`, address: '10.0.0.1' };
      const began = performance.now();
      const event = eventOf({ method: 'POST', url: '/v1/enrolment', body: { token: tokens[number], node } });
      const { statusCode, body } = await invoke('enrolNode', event);
      if (statusCode !== 201) refusals.add(body.replace(/"request_id":"[^"]*"/, ''));
      waited.push(performance.now() - began);
      replies.set(statusCode, (replies.get(statusCode) ?? 0) + 1);
    });
    const seconds = (performance.now() - start) / 1000;
    const unavailable = replies.get(503) ?? 0;
    if ((replies.get(201) ?? 0) + unavailable !== hosts) throw new Error(JSON.stringify([...replies]));
    const name = `${hosts.toLocaleString('en')} enrolments, ${AT_ONCE} at once`;
    const rows = [
      ['seconds', seconds, targets.add({ name, value: seconds, limit: { atMost: MOST_SECONDS }, unit: ' s' })],
      [
        'replies 503',
        unavailable,
        targets.add({ name: `${name}: replies 503`, value: unavailable, limit: { atMost: 0 }, unit: '' }),
      ],
      ['enrolments per second', hosts / seconds, ''],
      ['median, ms', quantile(waited, 0.5), ''],
      ['99th percentile, ms', quantile(waited, 0.99), ''],
      ['transactions repeated because of others', refused() - before, ''],
    ];
    return [markdown([name, 'value', 'target'], rows), ...refusals].join('\n\n');
  } finally {
    await stop();
  }
}
