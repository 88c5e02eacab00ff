import type { LogEntry } from '../../../shared/core/log.ts';
import { manualClock } from '../../../tests/support/manual-clock.ts';
import { PROBE_MINUTES, PROBE_SECONDS } from '../../domain/records/probe.ts';
import { type ProbeContext, probeWith } from './handler.ts';

type Fetch = ProbeContext['fetch'];

/** An inventory that replies like this, and the requests that it got. */
function inventoryWith(reply: (signal: AbortSignal) => Promise<Response> | Response) {
  const asked: string[] = [];
  const answer: Fetch = async (url, { method, redirect, signal }) => {
    asked.push(`${method} ${new URL(url).pathname} ${redirect}`);
    return reply(signal);
  };
  return { answer, asked };
}

const replyWith =
  (...statuses: number[]) =>
  () =>
    new Response('{}', { status: statuses.length > 1 ? statuses.shift()! : statuses[0]! });

const silence = (signal: AbortSignal) =>
  new Promise<Response>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

/** The lines of the log after one call, with the inventories by their names. */
async function linesOf(inventories: Record<string, { answer: Fetch }>): Promise<LogEntry[]> {
  const lines: LogEntry[] = [];
  const monotonic = manualClock();
  const fetch: Fetch = (url, init) => inventories[new URL(url).hostname]!.answer(url, init);
  const probe = probeWith((line) => lines.push(line), { fetch, monotonic });
  const named = Object.keys(inventories).map((name) => ({ name, url: `https://${name}` }));
  await monotonic.passUntil(probe({ inventories: named }));
  return lines;
}

test('of several inventories, the probe names each that is not ready, with the cause', async () => {
  const ready = inventoryWith(replyWith(200));
  const refusal = new Error('fetch failed', { cause: new Error('connect ECONNREFUSED') });
  const lines = await linesOf({
    ready,
    failing: inventoryWith(replyWith(503)),
    silent: inventoryWith(silence),
    moved: inventoryWith(() => new Response(null, { status: 302, headers: { Location: 'https://ready' } })),
    gone: inventoryWith(() => Promise.reject(refusal)),
  });
  expect(Object.fromEntries(lines.map(({ inventory, cause }) => [inventory, cause]))).toEqual({
    failing: 'status 503',
    silent: 'The time is up.',
    moved: 'status 302',
    gone: 'fetch failed: connect ECONNREFUSED',
  });
  expect(lines.find(({ inventory }) => inventory === 'failing')).toEqual({
    level: 'error',
    message: 'inventory is not ready',
    inventory: 'failing',
    url: 'https://failing',
    cause: 'status 503',
  });
  // A redirect is not followed: another address may be ready although this one is not.
  expect(ready.asked).toEqual(['GET /v1/readyz manual']);
});

test('an inventory is asked again before it counts, so that a lost request raises no alarm', async () => {
  const unstable = inventoryWith(replyWith(503, 503, 200));
  expect(await linesOf({ unstable })).toEqual([]);
  expect(unstable.asked).toHaveLength(3);
  const failing = inventoryWith(replyWith(503));
  expect(await linesOf({ failing })).toHaveLength(1);
  expect(failing.asked).toHaveLength(3);
});

test('calls do not overlap', () => expect(PROBE_SECONDS).toBeLessThan(PROBE_MINUTES * 60));

test("an event without inventories fails, so that the probe's own alarm is raised", async () => {
  await expect(probeWith(() => undefined)({})).rejects.toThrow('inventories');
});
