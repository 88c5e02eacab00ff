import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import * as z from 'zod/mini';
import { bundleFunctions } from '../infra/assets/bundle.ts';
import { MEMORY_MB } from '../infra/functions/function-size.ts';
import { cpuShareOf } from './cpu-share.ts';

/** What the runtime of Lambda lets the heap have, about. */
const HEAP_SHARE = 0.9;

/** Loads the bundle with the heap of its function and calls it. Prints milliseconds of the first call, of the last, and memory. */
const child = `
  const [file] = process.argv.slice(1);
  const { handler } = await import(file);
  const event = JSON.parse(await new Response(process.stdin).text());
  const milliseconds = [];
  for (let call = 0; call < 4; call += 1) {
    const start = performance.now();
    const { statusCode } = await handler(structuredClone(event), {});
    if (statusCode !== 200) throw new Error(String(statusCode));
    milliseconds.push(performance.now() - start);
  }
  const memoryMb = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(JSON.stringify({ first: milliseconds[0], last: milliseconds.at(-1), memoryMb }));
  process.exit();
`;

const childSchema = z.object({ first: z.number(), last: z.number(), memoryMb: z.number() });

/**
 * Calls the discovery function as it is deployed: its bundle, in a fresh process with the share of a processor that the
 * function has.
 */
export async function discoverAsDeployed(
  environment: Record<string, string>,
  event: unknown,
): Promise<z.output<typeof childSchema>> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const share = await cpuShareOf(MEMORY_MB);
  try {
    await bundleFunctions(folder);
    const file = pathToFileURL(join(folder, 'discoverTargets', 'index.mjs')).href;
    const heap = `--max-old-space-size=${Math.floor(MEMORY_MB * HEAP_SHARE)}`;
    const program = [process.execPath, heap, '--input-type=module', '-e', child, file];
    const node = spawn('/bin/sh', ['-c', `${share.enter}; exec "$@"`, 'sh', ...program], {
      env: environment,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    node.stdin.end(JSON.stringify(event));
    const [printed] = await Promise.all([text(node.stdout), once(node, 'exit')]);
    return z.parse(childSchema, JSON.parse(printed));
  } finally {
    await Promise.all([share.remove(), rm(folder, { recursive: true })]);
  }
}
