import { createClient } from '../index.ts';
import { followChanges, type FollowOptions } from './changes.ts';

/** Follows a feed whose replies have these cursors; with the cursors of the pages, and the queries. */
async function follow(cursors: readonly string[], options: FollowOptions, pages: number) {
  const queries: string[] = [];
  const client = createClient({
    url: 'https://inventory.example',
    fetch: (url) => {
      queries.push(new URL(url).search);
      const next = cursors[queries.length - 1] ?? '';
      return Promise.resolve(Response.json({ changes: [], next, more: queries.length < cursors.length }));
    },
  });
  const yielded: string[] = [];
  for await (const { cursor } of followChanges(client, options)) {
    yielded.push(cursor);
    if (yielded.length === pages) break;
  }
  return { yielded, queries };
}

test('a page is yielded only if the cursor has moved', async () => {
  const { yielded, queries } = await follow(['a', 'b', 'b', 'c'], { since: 'a' }, 2);
  expect(yielded).toEqual(['b', 'c']);
  expect(queries).toEqual(['a', 'a', 'b', 'b'].map((since) => `?since=${since}&limit=1000&wait=20`));
});

test('once ends with the last change, and does not wait', async () => {
  expect(await follow(['b', 'c'], { since: 'a', once: true, kinds: ['node'] }, Infinity)).toEqual({
    yielded: ['b', 'c'],
    queries: ['?since=a&limit=1000&kinds=node', '?since=b&limit=1000&kinds=node'],
  });
  expect((await follow(['a'], { since: 'a', once: true }, Infinity)).yielded).toEqual([]);
});
