import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import * as z from 'zod/mini';
import { bundleFunctions } from '../../infra/assets/bundle.ts';
import { MEMORY_MB } from '../../infra/functions/function-size.ts';
import { cpuShareOf } from '../cpu-share.ts';
import { usdOf } from '../../tools/costs/prices.ts';
import { startInventory } from '../inventory.ts';
import { measuredRequests } from '../memory-requests.ts';
import { table } from '../report.ts';
import type { Size } from '../size.ts';

const SIZES_MB = [256, MEMORY_MB, 1024, 1769];

/** Batches of measured calls. Processor time is that of the fastest one: other processes of the machine only add to it. */
const BATCHES = 5;

/**
 * Loads a bundle with a share of a processor and calls it with one event after the other. A function is loaded at full
 * speed on Lambda, so what loading takes is not looked at. Prints milliseconds per call, the first one apart, processor
 * time per call, and memory.
 */
const child = `
  const [file, calls, batches] = process.argv.slice(1);
  const batchSize = Math.ceil(calls / 2 / batches);
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
  let cpuMs = Infinity;
  const measured = events.slice(1 + calls / 2);
  for (let start = 0; start < measured.length; start += batchSize) {
    const batch = measured.slice(start, start + batchSize);
    const before = process.cpuUsage();
    for (const event of batch) total += await call(event);
    const { user, system } = process.cpuUsage(before);
    cpuMs = Math.min(cpuMs, (user + system) / 1000 / batch.length);
  }
  const memoryMb = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(JSON.stringify({ first, mean: total / measured.length, cpuMs, memoryMb }));
  process.exit();
`;

const measuredSchema = z.object({ first: z.number(), mean: z.number(), cpuMs: z.number(), memoryMb: z.number() });

/** What a request takes, and the memory it needs, in functions of several sizes. */
export async function memorySection({ calls }: Size): Promise<string> {
  const { dependencies, environment, stop } = await startInventory();
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    await bundleFunctions(folder);
    const requests = await measuredRequests(dependencies, SIZES_MB.length * (1 + calls));
    const rows: (string | number)[][] = [];
    for (const { name, function: bundle, event } of requests)
      for (const sizeMb of SIZES_MB) {
        const share = await cpuShareOf(sizeMb);
        try {
          const file = pathToFileURL(join(folder, bundle, 'index.mjs')).href;
          const program = [process.execPath, '--input-type=module', '-e', child, file, String(calls), String(BATCHES)];
          const node = spawn('/bin/sh', ['-c', `${share.enter}; exec "$@"`, 'sh', ...program], {
            env: environment,
            stdio: ['pipe', 'pipe', 'inherit'],
          });
          node.stdin.end(JSON.stringify({ events: Array.from({ length: 1 + calls }, event) }));
          const [output] = await Promise.all([text(node.stdout), once(node, 'exit')]);
          const { first, mean, cpuMs, memoryMb } = z.parse(measuredSchema, JSON.parse(output));
          const usd = usdOf('lambdaGbSeconds', (mean / 1000) * (sizeMb / 1024) * 1_000_000);
          rows.push([
            name,
            sizeMb,
            first.toFixed(0),
            mean.toFixed(1),
            cpuMs.toFixed(2),
            usd.toFixed(2),
            memoryMb.toFixed(0),
          ]);
        } finally {
          await share.remove();
        }
      }
    return table(
      [
        'request',
        'MB',
        'first request ms',
        'warm ms, mean',
        'processor ms',
        'USD per million, without requests',
        'used MB',
      ],
      rows,
    );
  } finally {
    await Promise.all([stop(), rm(folder, { recursive: true, force: true })]);
  }
}
