import { Bench } from 'tinybench';
import { ratio } from './report.ts';
import type { Size } from './size.ts';
import { median, quantile } from './statistics.ts';

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

/** Processor time of this process, all of its threads, in milliseconds, as tinybench counts. */
function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

type Side = 'handler' | 'yardstick';

function timesOf(cpuOf: (side: Side, round: number) => number, rounds: number): CpuTimes {
  const all = (side: Side) => Array.from({ length: rounds }, (_, round) => cpuOf(side, WARM_UP_ROUNDS + round));
  const [handler, yardstick] = [all('handler'), all('yardstick')];
  const ratios = handler.map((time, round) => time / (yardstick[round] ?? Number.NaN));
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
  const bench = new Bench({ now: cpuMilliseconds, iterations: 1, time: 0, warmup: false, throws: true });
  let number = 0;
  const addBatch = (name: string, prepare: PrepareRequest) => {
    let requests: (() => Promise<unknown>)[] = [];
    const beforeEach = () => {
      requests = Array.from({ length: cpuBatch }, () => prepare((number += 1)));
    };
    const batch = async () => {
      for (const request of requests) await request();
    };
    bench.add(name, batch, { async: true, beforeEach });
  };
  for (let round = 0; round < WARM_UP_ROUNDS + cpuRounds; round += 1) {
    // The second one finds warmer caches: they take turns.
    const sides: Side[] = round % 2 === 0 ? ['yardstick', 'handler'] : ['handler', 'yardstick'];
    for (const comparison of comparisons)
      for (const side of sides) addBatch(`${comparison.name} ${side} ${round}`, comparison[side]);
  }
  await bench.run();
  return comparisons.map((comparison) => {
    const cpuOf = (side: Side, round: number) => {
      const { result } = bench.getTask(`${comparison.name} ${side} ${round}`) ?? {};
      return result !== undefined && 'latency' in result ? (result.latency.mean * 1000) / cpuBatch : Number.NaN;
    };
    return { ...comparison, times: timesOf(cpuOf, cpuRounds) };
  });
}
