import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Test } from '@jest/test-result';
import type sequencer from '@jest/test-sequencer';
import { pathOf, slowFiles } from './limits.ts';

/** A place of a file that the seed decides, whatever other files run. */
const place = (seed: string, file: string) => createHash('sha256').update(`${seed} ${file}`).digest('hex');

/** Files in the order of a seed. Those that take longest are first, so that no processor waits for one at the end. */
export function inOrder<Item>(items: readonly Item[], fileOf: (item: Item) => string, seed: string): Item[] {
  return items
    .map((item) => ({ item, key: `${slowFiles.includes(fileOf(item)) ? 0 : 1}${place(seed, fileOf(item))}` }))
    .sort((left, right) => (left.key < right.key ? -1 : 1))
    .map(({ item }) => item);
}

// As CommonJS: the types of the package do not fit its module.
const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer') as typeof sequencer;

/** The order of test files: random, by a seed that it prints. TEST_ORDER repeats it. */
export default class RandomOrder extends Sequencer {
  readonly #seed: string;

  constructor(options: ConstructorParameters<typeof Sequencer>[0]) {
    super(options);
    this.#seed = process.env['TEST_ORDER'] ?? String(options.globalConfig.seed);
  }

  override sort(tests: Test[]): Test[] {
    if (tests.length > 1) process.stderr.write(`Order of the test files: TEST_ORDER=${this.#seed}\n`);
    return inOrder(tests, pathOf, this.#seed);
  }
}
