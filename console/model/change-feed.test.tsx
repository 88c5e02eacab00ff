import { closePage } from '../testing/page.tsx';
import { queryOf, type Reply, showReplies } from '../testing/replies.tsx';
import { followChanges } from './change-feed.tsx';

afterEach(closePage);

/** Follows the feed through these replies, one for each request. @returns what each call said, and the cursors that were asked for. */
async function followed(calls: number, replies: readonly Reply[]) {
  const requests = await showReplies((_, count) => replies[count - 1]!);
  const hasChanged = followChanges();
  const said: unknown[] = [];
  for (let count = 0; count < calls; count += 1)
    said.push(await hasChanged().catch((error: unknown) => (error as Error).message));
  return { said, since: requests.map((request) => queryOf(request)['since']) };
}

const page = (next: string, changes: number, more = false) => ({ changes: Array(changes).fill({}), next, more });

test('the first call reports a possible change, later ones an actual change', async () => {
  expect(await followed(3, [page('a', 0), page('b', 0), page('c', 1)])).toEqual({
    said: [true, false, true],
    since: ['now', 'a', 'b'],
  });
});

test('a change on an earlier feed page counts, and its pages follow each other', async () => {
  const pages = [page('a', 0), page('b', 1, true), page('c', 0, true), page('d', 0), page('e', 0)];
  expect(await followed(3, pages)).toEqual({ said: [true, true, false], since: ['now', 'a', 'b', 'c', 'd'] });
});

test('after five pages the rest is not read', async () => {
  const more = ['b', 'c', 'd', 'e', 'f'].map((next) => page(next, 0, true));
  expect(await followed(3, [page('a', 0), ...more, page('now', 0), page('g', 0)])).toEqual({
    said: [true, true, false],
    since: ['now', 'a', 'b', 'c', 'd', 'e', 'now', 'now'],
  });
});

test('an expired cursor restarts, a role without the feed sees no change, and other failures are thrown', async () => {
  const old = { status: 410, message: 'Too old.' };
  expect(await followed(2, [page('a', 0), old, page('b', 0)])).toEqual({
    said: [true, true],
    since: ['now', 'a', 'now'],
  });
  expect((await followed(1, [{ status: 403, message: 'Denied.' }])).said).toEqual([false]);
  expect((await followed(1, [{ status: 404, message: 'Elsewhere.' }])).said).toEqual(['Elsewhere.']);
});
