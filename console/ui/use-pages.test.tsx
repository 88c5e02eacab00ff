import { QueryClientProvider } from '@tanstack/react-query';
import { ApiFailure } from '../api/client.tsx';
import { queries } from '../api/queries.tsx';
import { Network } from '../testing/network.tsx';
import { closePage, show, untilQuiet } from '../testing/page.tsx';
import { type PageIndex, type Pages, type Source, usePages } from './use-pages.tsx';

const SIZE = 3;

afterEach(closePage);

/** A list of numbers from 1, whose tokens are positions in it. It skips two at a time. */
function listOf(length: number) {
  const calls: string[] = [];
  const part = (from: number, count: number) => {
    const objects = Array.from({ length: Math.max(0, Math.min(count, length - from)) }, (_, index) => from + index + 1);
    return { objects, next: from + count < length ? String(from + count) : undefined };
  };
  const source: Source<number> = {
    size: SIZE,
    maxAge: Infinity,
    load: (token) => {
      calls.push(`load ${token ?? 0}`);
      return Promise.resolve(part(Number(token ?? 0), SIZE));
    },
    skip: (count, token) => {
      calls.push(`skip ${count} from ${token ?? 0}`);
      return Promise.resolve(part(Number(token ?? 0), Math.min(count, 2)));
    },
  };
  return { calls, source };
}

/** Shows a list. @returns its pages at present. */
async function showPages(source: Source<number> | undefined, place?: PageIndex): Promise<() => Pages<number>> {
  let pages: Pages<number>;
  function List() {
    pages = usePages(['numbers'], source, place);
    return null;
  }
  await show(
    <QueryClientProvider client={queries}>
      <List />
    </QueryClientProvider>,
    { network: new Network(() => Promise.reject(new Error('no server'))) },
  );
  return () => pages;
}

const goTo = async (pages: () => Pages<number>, index: number) => {
  pages().goTo(index);
  await untilQuiet();
};

test('a list begins with its first page, and knows that another one follows', async () => {
  const { source, calls } = listOf(7);
  const pages = await showPages(source);
  expect(pages()).toMatchObject({
    ...{ objects: [1, 2, 3], pageIndex: 1, pagesCount: 2, openEnd: true, hasMore: true, before: 0, previousIndex: 1 },
    ...{ loading: false, failure: undefined, loadedAt: expect.any(Number) },
  });
  expect(calls).toEqual(['load 0']);
});

test('each page continues the former one, and a visited page is not loaded again', async () => {
  const { source, calls } = listOf(7);
  const pages = await showPages(source);
  await goTo(pages, 2);
  expect(pages()).toMatchObject({ objects: [4, 5, 6], pageIndex: 2, before: 3, previousIndex: 1, pagesCount: 3 });
  await goTo(pages, 3);
  expect(pages()).toMatchObject({ objects: [7], before: 6, openEnd: false, hasMore: false, pagesCount: 3 });
  expect(pages().previousIndex).toBe(2);
  await goTo(pages, 1);
  expect(pages()).toMatchObject({ objects: [1, 2, 3], openEnd: false, pagesCount: 3 });
  expect(calls).toEqual(['load 0', 'load 3', 'load 6']);
});

test('a later page is reached by skipping from the nearest known page', async () => {
  const { source, calls } = listOf(20);
  const pages = await showPages(source);
  await goTo(pages, 4);
  expect(pages()).toMatchObject({ objects: [10, 11, 12], before: 9, pageIndex: 4, previousIndex: 3, pagesCount: 5 });
  expect(calls).toEqual(['load 0', 'skip 6 from 3', 'skip 4 from 5', 'skip 2 from 7', 'load 9']);
});

test('a page behind the end is empty, and leads to the last one', async () => {
  const { source, calls } = listOf(7);
  const pages = await showPages(source, { pageIndex: 9, goTo: () => undefined });
  expect(pages()).toMatchObject({ objects: [], pageIndex: 9, hasMore: false, before: 7, previousIndex: 3 });
  expect(calls.filter((call) => call.startsWith('load'))).toEqual([]);
});

test('without a source nothing is loaded or counted', async () => {
  const pages = await showPages(undefined, { pageIndex: 3, goTo: () => undefined });
  expect(pages()).toMatchObject({ objects: [], before: 0, loading: false, hasMore: false });
});

test('until a page is loaded, its position is that of full pages', async () => {
  const { source } = listOf(20);
  const pages = await showPages(
    { ...source, load: () => new Promise(() => {}) },
    { pageIndex: 3, goTo: () => undefined },
  );
  expect(pages()).toMatchObject({ objects: [], before: 6, loading: true, loadedAt: undefined });
});

test('the later pages are loaded again once an earlier one ends elsewhere', async () => {
  const { source, calls } = listOf(9);
  const pages = await showPages(source);
  await goTo(pages, 2);
  await goTo(pages, 1);
  source.load = () => Promise.resolve({ objects: [1, 2], next: '2' });
  pages().reload();
  await untilQuiet();
  expect(pages()).toMatchObject({ objects: [1, 2], pagesCount: 2, openEnd: true });
  source.load = listOf(9).source.load;
  await goTo(pages, 2);
  expect(pages()).toMatchObject({ objects: [3, 4, 5], before: 2 });
  expect(calls).toEqual(['load 0', 'load 3']);
});

test('a later page with an expired token restarts the list, and another failure loads it again', async () => {
  const { source } = listOf(9);
  const pages = await showPages(source);
  source.load = () => Promise.reject(new ApiFailure(400));
  await goTo(pages, 2);
  expect(pages().failure?.status).toBe(400);
  source.load = listOf(9).source.load;
  pages().reload();
  await untilQuiet();
  expect(pages()).toMatchObject({ objects: [1, 2, 3], pageIndex: 1 });
  source.load = () => Promise.reject(new ApiFailure(403));
  await goTo(pages, 2);
  source.load = listOf(9).source.load;
  pages().reload();
  await untilQuiet();
  expect(pages()).toMatchObject({ objects: [4, 5, 6], pageIndex: 2 });
});
