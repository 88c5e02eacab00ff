import { testSeed } from '../../shared/testing/extent.ts';

/** A source of chance that repeats itself for the same seed (mulberry32: 32 bits of state, good enough to mix clients). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 <= x < 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  /** Each value with even odds, in order. */
  some<T>(values: readonly T[]): T[] {
    return values.filter(() => this.chance(0.5));
  }

  /** Another source that does not depend on how often this one is asked from now on. */
  fork(): Random {
    return new Random(this.below(2 ** 32));
  }
}

/** The seed from the environment variable, or that of all tests. A test that uses it shows it when something fails. */
export function seedFrom(variable: string): number {
  return countFrom(variable, testSeed);
}

/** A whole number from the environment variable, or the standard one. */
export function countFrom(variable: string, standard: number): number {
  const given = process.env[variable];
  return given === undefined || given === '' ? standard : Number(given);
}
