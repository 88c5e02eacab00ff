import { Network, type PageRequest } from '../testing/network.tsx';
import { closePage, show } from '../testing/page.tsx';
import { readGroups } from './groups.tsx';
import { nodes } from './kinds.tsx';

const { signal } = new AbortController();

const states = { offline: 0, never_seen: 0 };
const group = (value: string, count: number) => ({
  value,
  count,
  by_state: { ...states, stale: count },
  state: 'stale',
});

afterEach(closePage);

/** Counts with these replies, of which each names the next one. */
async function counted(reply: (part: number) => object) {
  const asked: PageRequest[] = [];
  const network = new Network((request) => {
    asked.push(request);
    return Promise.resolve({ status: 200, headers: {}, body: JSON.stringify(reply(asked.length)) });
  });
  await show(<></>, { network });
  const result = await readGroups(nodes, { region: 'eu' }, 'az', signal);
  const queries = asked.map(({ path }) => Object.fromEntries(new URLSearchParams(path.split('?')[1])));
  return { ...result, queries };
}

test("a count in one part is one request with the list's filters", async () => {
  const { groups, isComplete, queries } = await counted(() => ({ groups: [group('a', 2)] }));
  expect([groups.map(({ value, count }) => [value, count]), isComplete]).toEqual([[['a', 2]], true]);
  expect(queries).toEqual([{ kind: 'node', group_by: 'az', region: 'eu' }]);
});

test('parts of a count follow each other, and their groups add up, largest first', async () => {
  const parts = [
    { groups: [group('a', 2), group('b', 3)], next: 'x' },
    { groups: [group('a', 5)], next: 'y' },
    { groups: [group('c', 1)] },
  ];
  const { groups, isComplete, queries } = await counted((part) => parts[part - 1]!);
  expect(queries.map(({ after }) => after)).toEqual([undefined, 'x', 'y']);
  expect(groups.map(({ value, count, by_state: { stale } }) => [value, count, stale])).toEqual([
    ...[
      ['a', 7, 7],
      ['b', 3, 3],
      ['c', 1, 1],
    ],
  ]);
  expect(isComplete).toBe(true);
});

test('after ten parts a count ends as incomplete', async () => {
  const { isComplete, queries } = await counted((part) => ({ groups: [group('a', 1)], next: String(part) }));
  expect([queries.length, isComplete]).toEqual([10, false]);
});
