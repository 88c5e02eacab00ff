import { type Growth, growth, HOSTS, STORED_BYTES_PER_HOST, type Walk } from './growth.ts';
import { FIRST_CHANGE_SHARDS } from '../../functions/store/table/keys.ts';
import { inFull } from '../../shared/testing/extent.ts';
import { type MeasuredGrowth, measureGrowth, measureOtherGets, measureStorage } from './measured-growth.ts';

/** Times are part of bodies, and gzip compresses some better than others. */
const BYTES_TOLERANCE = 0.05;

/** The large inventory takes most of the time, and its rows follow the same rules. */
const SIZES = inFull<readonly number[]>(HOSTS, [HOSTS[0]]);

let measured: MeasuredGrowth[];

beforeAll(async () => {
  measured = await measureGrowth(SIZES);
});

const nameOf = ({ function: id, request }: MeasuredGrowth) => `${id}: ${request}`;

const isNear = (bytes: number, stated: number) => Math.abs(bytes - stated) <= Math.ceil(stated * BYTES_TOLERANCE);

test('the cost of reading everything is stated for each request at each inventory size', () => {
  // Bytes that are near the stated ones count as equal.
  const walksOf = ({ function: id, walks }: MeasuredGrowth, stated: Growth | undefined): Walk[] =>
    walks.map((walk, size) => {
      const { bytes, readUnits } = stated?.walks[size] ?? walk;
      // Changes are spread over partitions at random, and what is read of each is rounded up.
      const isSpread = id === 'getSummary' && Math.abs(walk.readUnits - readUnits) <= FIRST_CHANGE_SHARDS;
      return {
        ...walk,
        readUnits: isSpread ? readUnits : walk.readUnits,
        bytes: isNear(walk.bytes, bytes) ? bytes : walk.bytes,
      };
    });
  const rowOf = (id: string, request: string, walks: readonly Walk[]) =>
    `['${id}', '${request}', ${walks.map((walk) => `[${[walk.requests, walk.readUnits, walk.bytes].join(', ')}]`).join(', ')}],`;
  const rows = measured.map((cost) => {
    const stated = growth.find((other) => nameOf(other) === nameOf(cost));
    return rowOf(cost.function, cost.request, walksOf(cost, stated));
  });
  // The rows of tests/costs/growth.ts.
  expect(rows).toEqual(
    growth.map((stated) => rowOf(stated.function, stated.request, stated.walks.slice(0, SIZES.length))),
  );
});

/** More than any request reads whose cost does not grow with the inventory. */
const MAX_READ_UNITS = 10;

/** GETs that read more, and need no row of their own. */
const WITHOUT_ROW = {
  getMetrics: 'reads the summary: the row of getSummary',
  listChanges: 'reads up to 500 changes of the last seconds in each partition, whatever the size of the page',
};

test('a GET that reads more of a larger inventory has a row', async () => {
  const others = await measureOtherGets(HOSTS[0], new Set(growth.map(({ function: id }) => id)));
  // What is missing here belongs in `requests` of measured-growth.ts, and in growth.ts.
  const costly = others.filter(({ readUnits }) => readUnits > MAX_READ_UNITS);
  expect(costly.map(({ function: id }) => id).sort()).toEqual(Object.keys(WITHOUT_ROW));
  expect(others.length).toBeGreaterThan(10);
});

test('the table size of a host is stated', async () => {
  const bytes = await measureStorage();
  expect(isNear(bytes, STORED_BYTES_PER_HOST) ? STORED_BYTES_PER_HOST : bytes).toBe(STORED_BYTES_PER_HOST);
});
