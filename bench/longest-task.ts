import type { Browser } from 'playwright-core';
import * as z from 'zod/mini';

/** An event of Chromium's tracing. The processor time in microseconds does not contain what other programs of the machine do. */
const eventSchema = z.object({
  name: z.string(),
  pid: z.number(),
  tid: z.number(),
  tdur: z.optional(z.number()),
  args: z.object({ name: z.optional(z.string()) }),
});

const threadOf = ({ pid, tid }: z.output<typeof eventSchema>) => `${pid} ${tid}`;

/**
 * The longest task of pages during `work`, in milliseconds of processor time. A page answers nothing while a task runs.
 *
 * @throws Error if no page had a task.
 */
export async function longestTaskDuring(browser: Browser, work: () => Promise<unknown>): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const events: z.output<typeof eventSchema>[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value) {
      const parsed = z.safeParse(eventSchema, event);
      if (parsed.success) events.push(parsed.data);
    }
  });
  const includedCategories = ['devtools.timeline', 'disabled-by-default-devtools.timeline'];
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories, excludedCategories: ['*'] },
  });
  await work();
  const { promise: isComplete, resolve } = Promise.withResolvers<undefined>();
  session.once('Tracing.tracingComplete', () => resolve(undefined));
  await session.send('Tracing.end');
  await isComplete;
  await session.detach();
  const mains = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(threadOf),
  );
  const times = events
    .filter((event) => event.name === 'RunTask' && mains.has(threadOf(event)))
    .map(({ tdur = 0 }) => tdur / 1000);
  if (times.length === 0) throw new Error('The browser reported no task of a page.');
  return Math.max(...times);
}
