import type { Table } from '../../../shared/db/table.ts';
import { transact } from '../../../shared/db/transact.ts';
import { contextOf, node } from '../../../tests/support/store.ts';
import { withSend } from '../../../tests/support/table.ts';
import { changeIdOf } from '../table/keys.ts';
import {
  type FeedPosition,
  positionFromTexts,
  positionToTexts,
  presentPosition,
  readFeed,
  RECENT_MS,
} from './change-feed.ts';
import { changeStep } from './change-record.ts';
import { forgetFeedTime } from './feed-time.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const HOUR = 3_600_000;
const MONTH = 30 * 24 * HOUR;

/** Each test begins days after the others, so that its positions exclude their changes. */
let start = Date.parse('2026-05-01T10:00:00Z');
beforeEach(() => {
  start += 48 * HOUR;
  forgetFeedTime(table);
});

type Change = readonly [milliseconds: number, name: string];

/** Writes changes at these times after the start, each in another partition than the one before. */
async function write(...changes: readonly Change[]): Promise<void> {
  const steps = changes.map(([milliseconds, name], index) =>
    changeStep(
      changeIdOf(index % 4, start + milliseconds, 'aaaaaa', index),
      { after: node({ node_name: name }) },
      contextOf(),
    ),
  );
  for (let index = 0; index < steps.length; index += 100) await transact(table, steps.slice(index, index + 100));
}

const from = (milliseconds = 0): FeedPosition => ({ time: start + milliseconds, names: new Set() });
const read = async (position: FeedPosition | undefined, most: number, now: number, at: Table = table) => {
  const { changes, next, more } = await readFeed(at, position, { most, now: new Date(start + now) });
  return { names: changes.map(({ after }) => after?.['node_name']), next, more, after: next.time - start };
};

describe('older changes', () => {
  test('are in time order across partitions and pages', async () => {
    await write([3, 'd'], [1, 'b'], [0, 'a'], [2, 'c']);
    expect(await read(from(), 9, HOUR)).toMatchObject({ names: ['a', 'b', 'c', 'd'], more: false, after: 4 });
    for (const most of [1, 2, 3]) {
      const names = [];
      let page = await read(from(), most, HOUR);
      for (; page.more; page = await read(page.next, most, HOUR)) {
        expect(page.names.length).toBeLessThanOrEqual(most);
        names.push(...page.names);
      }
      expect([...names, ...page.names]).toEqual(['a', 'b', 'c', 'd']);
    }
  });

  test('include the time of the position itself', async () => {
    await write([5, 'a']);
    expect((await read(from(5), 9, HOUR)).names).toEqual(['a']);
    expect((await read(from(6), 9, HOUR)).names).toEqual([]);
  });

  test('are all kept ones without a position', async () => {
    await write([0, 'a']);
    const month = await readFeed(table, undefined, { most: 9, now: new Date(start + MONTH) });
    expect(month.changes.map(({ after }) => after?.['node_name'])).toEqual(['a']);
    const later = await readFeed(table, undefined, { most: 9, now: new Date(start + MONTH + 1) });
    expect(later.changes).toEqual([]);
  });

  test('are a 410 from a position older than 30 days', async () => {
    await expect(read(from(), 1, MONTH)).resolves.toMatchObject({ names: [] });
    await expect(read(from(), 1, MONTH + 1)).rejects.toMatchObject({ kind: 'gone' });
  });
});

describe('recent changes', () => {
  const NOW = HOUR;

  test('of the last 20 s are named in the position and not returned again', async () => {
    await write([NOW - RECENT_MS - 1, 'older'], [NOW - RECENT_MS, 'recent'], [NOW, 'new']);
    const first = await read(from(), 9, NOW);
    expect(first.names).toEqual(['older', 'recent', 'new']);
    expect([first.next.names.size, first.after]).toEqual([2, NOW - RECENT_MS]);
    expect(await read(first.next, 9, NOW)).toMatchObject({ names: [], more: false });
  });

  test('that become visible late are returned', async () => {
    await write([NOW - 5, 'first']);
    const { next } = await read(from(), 9, NOW);
    await write([NOW - 10, 'late']);
    const second = await read(next, 9, NOW);
    expect([second.names, second.next.names.size]).toEqual([['late'], 2]);
    // When they are older, the position needs no names.
    const third = await read(second.next, 9, NOW + RECENT_MS + 1);
    expect([third.names, third.next.names.size]).toEqual([[], 0]);
  });

  test('are named up to 500 in a position, and the rest follows later', async () => {
    await write(...Array.from({ length: 501 }, (_, index): Change => [NOW - 1000 + index, String(index)]));
    const first = await read(from(), 1000, NOW);
    expect([first.names.length, first.next.names.size, first.more]).toEqual([500, 500, true]);
    expect(await read(first.next, 1000, NOW)).toMatchObject({ names: [], more: true });
    expect(await read(first.next, 1000, NOW + RECENT_MS)).toMatchObject({ names: ['500'], more: false });
  });

  /** The table; before each pass over its four partitions, and their number, from the second on, `write` is called with its number. */
  function changing(before: (pass: number) => Promise<void>): Table {
    const CALLS = 5;
    let calls = 0;
    let writing: Promise<void> = Promise.resolve();
    const send = async (command: any) => {
      if (calls > 0 && calls % CALLS === 0) writing = before(calls / CALLS + 1);
      calls += 1;
      await writing;
      return table.client.send(command);
    };
    return withSend(table, send);
  }

  test('that appear late between two passes come first', async () => {
    await write([NOW - 5, 'effect']);
    const at = changing((pass) => (pass === 2 ? write([NOW - 9, 'cause']) : Promise.resolve()));
    expect(await read(from(), 9, NOW, at)).toMatchObject({ names: ['cause', 'effect'], more: false });
  });

  test('that appear between two passes end the page before them', async () => {
    await write([NOW - 5, 'first']);
    const at = changing((pass) => (pass === 2 ? write([NOW - 3, 'second']) : Promise.resolve()));
    const page = await read(from(), 9, NOW, at);
    expect(page).toMatchObject({ names: ['first'], more: true });
    expect((await read(page.next, 9, NOW)).names).toEqual(['second']);
  });

  test('that appear in each of six passes leave the page empty, and more follow', async () => {
    await write([NOW - 5, 'first']);
    let passes = 1;
    const at = changing((pass) => {
      passes = pass;
      return write([NOW - 5 - pass, `pass ${pass}`]);
    });
    expect(await read(from(), 9, NOW, at)).toMatchObject({ names: [], more: true });
    expect(passes).toBe(6);
    expect((await read(from(), 9, NOW)).names).toHaveLength(6);
  });
});

describe('the position at the end', () => {
  test('follows the clock 12 hours behind, so that it does not expire', async () => {
    expect((await read(from(), 9, 11 * HOUR)).after).toBe(0);
    expect((await read(from(), 9, 13 * HOUR)).after).toBe(HOUR);
  });

  test('of a follower that then reads the inventory returns the recent changes again', async () => {
    await write([0, 'a']);
    const present = async (now: number) => (await presentPosition(table, new Date(start + now))).time - start;
    // The latest change, while that is less than 12 hours ago.
    expect(await present(HOUR)).toBe(1);
    expect(await present(12 * HOUR + 2)).toBe(2);
    forgetFeedTime(table);
    await write([13 * HOUR, 'b']);
    expect(await present(13 * HOUR + 5)).toBe(13 * HOUR + 5 - RECENT_MS);
  });
});

test('a position is converted to two strings and back', async () => {
  await write([HOUR - 2, 'a'], [HOUR - 1, 'b']);
  const { next } = await read(from(), 9, HOUR);
  expect(next.names.size).toBe(2);
  expect(positionFromTexts(positionToTexts(next))).toEqual(next);
  expect(positionFromTexts(positionToTexts(from()))).toEqual(from());
});
