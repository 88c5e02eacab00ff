import { ratio } from './report.ts';
import type { Size } from './size.ts';
import { cpuMicroseconds, median, quantile } from './statistics.ts';

const WARM_UP_ROUNDS = 6;

/** Makes what one request needs, before its time is taken; the result is the request itself. */
export type PrepareRequest = (number: number) => () => Promise<unknown>;

/** A handler and what it is compared with. */
export interface Comparison {
  name: string;
  handler: PrepareRequest;
  yardstick: PrepareRequest;
}

/** Microseconds of processor time per request, and the ratios of the batches that were measured one after the other. */
export interface CpuTimes {
  handler: number;
  yardstick: number;
  ratio: number;
  /** The ratios of the middle half of the rounds. */
  spread: string;
}

async function batchTime(requests: readonly (() => Promise<unknown>)[]): Promise<number> {
  const total = await cpuMicroseconds(async () => {
    for (const request of requests) await request();
  });
  return total / requests.length;
}

function compared(handler: readonly number[], yardstick: readonly number[]): CpuTimes {
  const ratios = handler.map((time, index) => time / (yardstick[index] ?? Number.NaN));
  return {
    handler: median(handler),
    yardstick: median(yardstick),
    ratio: median(ratios),
    spread: `${ratio(quantile(ratios, 0.25))} to ${ratio(quantile(ratios, 0.75))}`,
  };
}

/** Compares each handler, warm, with its yardstick: batches in turns, so that both see the same state of the machine. */
export async function compareCpu<T extends Comparison>(
  comparisons: readonly T[],
  { cpuRounds, cpuBatch }: Pick<Size, 'cpuRounds' | 'cpuBatch'>,
): Promise<(T & { times: CpuTimes })[]> {
  const samples = comparisons.map((one) => ({ one, handler: new Array<number>(), yardstick: new Array<number>() }));
  let number = 0;
  const batch = (prepare: PrepareRequest) => Array.from({ length: cpuBatch }, () => prepare((number += 1)));
  for (let round = 0; round < WARM_UP_ROUNDS + cpuRounds; round += 1)
    for (const { one, ...times } of samples) {
      const [handlers, yardsticks] = [batch(one.handler), batch(one.yardstick)];
      // The second one finds warmer caches: they take turns.
      const yardstickFirst = round % 2 === 0 ? await batchTime(yardsticks) : undefined;
      const handler = await batchTime(handlers);
      const yardstick = yardstickFirst ?? (await batchTime(yardsticks));
      if (round < WARM_UP_ROUNDS) continue;
      times.handler.push(handler);
      times.yardstick.push(yardstick);
    }
  return samples.map(({ one, handler, yardstick }) => ({ ...one, times: compared(handler, yardstick) }));
}
