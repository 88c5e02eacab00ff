import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import * as z from 'zod/mini';
import { bundleFunctions } from '../../infra/assets/bundle.ts';
import { MEMORY_MB } from '../../infra/function-size.ts';
import { authorizerEvent } from '../../local/proxy-event.ts';
import { eventOf } from '../../tests/costs/invocation.ts';
import { cpuShareOf } from '../cpu-share.ts';
import { newKey, startInventory } from '../inventory.ts';
import { newNode, putNodes } from '../nodes.ts';
import { table } from '../report.ts';
import type { Size } from '../size.ts';

const SIZES_MB = [256, MEMORY_MB, 1024, 1769];

/** Lambda on arm64 in us-east-1, USD per GB and second. https://aws.amazon.com/lambda/pricing/ */
const USD_PER_GB_SECOND = 0.0000133334;

/**
 * Loads a bundle with a share of a processor and calls it with one event after the other. A function is loaded at full
 * speed on Lambda, so what loading takes is not looked at. Prints milliseconds per call, the first one apart, and memory.
 */
const child = `
  const [file, calls] = process.argv.slice(1);
  const { handler } = await import(file);
  const { events } = JSON.parse(await new Response(process.stdin).text());
  const call = async (event) => {
    const start = performance.now();
    const { statusCode = 200, body } = await handler(event, {});
    if (statusCode > 299) throw new Error(body);
    return performance.now() - start;
  };
  const first = await call(events[0]);
  for (const event of events.slice(1, 1 + calls / 2)) await call(event);
  let total = 0;
  const measured = events.slice(1 + calls / 2);
  for (const event of measured) total += await call(event);
  const memoryMb = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(JSON.stringify({ first, mean: total / measured.length, memoryMb }));
  process.exit();
`;

const measuredSchema = z.object({ first: z.number(), mean: z.number(), memoryMb: z.number() });

/** What a request takes, and the memory it needs, in functions of several sizes. */
export async function memorySection({ calls }: Size): Promise<string> {
  const { dependencies, environment, stop } = await startInventory();
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    await bundleFunctions(folder);
    const nodes = Array.from({ length: 100 }, (_, number) => newNode(number));
    await putNodes(dependencies.table, nodes);
    const { text: key } = await newKey(dependencies.table);
    const withKey = { headers: { Authorization: `Bearer ${key}` } };
    let added = 1000;
    const requests: Record<string, { bundle: string; event: () => unknown; calls: number }> = {
      'get a node': {
        bundle: 'getNode',
        event: () => eventOf({ method: 'GET', url: `/v1/nodes/${nodes[0]?.node_id ?? ''}` }),
        calls,
      },
      'list 100 nodes': {
        bundle: 'listNodes',
        event: () => eventOf({ method: 'GET', url: '/v1/nodes?page_size=100' }),
        calls,
      },
      'add a node': {
        bundle: 'addNode',
        event: () => {
          const { node_type, node_name, address } = newNode((added += 1));
          return eventOf({ method: 'POST', url: '/v1/nodes', body: { node_type, node_name, address } });
        },
        calls,
      },
      'authorise a key': {
        bundle: 'authorizer',
        event: () => authorizerEvent(eventOf({ method: 'GET', url: '/v1/version', ...withKey })),
        calls,
      },
    };
    const rows: (string | number)[][] = [];
    for (const [name, { bundle, event, calls: count }] of Object.entries(requests))
      for (const sizeMb of SIZES_MB) {
        const share = await cpuShareOf(sizeMb);
        try {
          const file = pathToFileURL(join(folder, bundle, 'index.mjs')).href;
          const program = [process.execPath, '--input-type=module', '-e', child, file, String(count)];
          const node = spawn('/bin/sh', ['-c', `${share.enter}; exec "$@"`, 'sh', ...program], {
            env: environment,
            stdio: ['pipe', 'pipe', 'inherit'],
          });
          node.stdin.end(JSON.stringify({ events: Array.from({ length: 1 + count }, event) }));
          const [output] = await Promise.all([text(node.stdout), once(node, 'exit')]);
          const { first, mean, memoryMb } = z.parse(measuredSchema, JSON.parse(output));
          const usd = (mean / 1000) * (sizeMb / 1024) * USD_PER_GB_SECOND * 1_000_000;
          rows.push([name, sizeMb, first.toFixed(0), mean.toFixed(1), usd.toFixed(2), memoryMb.toFixed(0)]);
        } finally {
          await share.remove();
        }
      }
    return table(
      ['request', 'MB', 'first request ms', 'warm ms, mean', 'USD per million, without requests', 'used MB'],
      rows,
    );
  } finally {
    await Promise.all([stop(), rm(folder, { recursive: true, force: true })]);
  }
}
