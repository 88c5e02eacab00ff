import { queries } from '../api/queries.tsx';
import { closePage } from '../testing/page.tsx';
import { showReplies } from '../testing/replies.tsx';
import { hrefOfFilter, mayChangeFilter, saveFilter, type SavedFilter } from './saved-filters.tsx';

const KEY = ['names', 'saved-filters'];
const body = { name: 'Europe', list: 'nodes', parameters: { region: 'eu' }, shared: false } as const;
const present = { ...body, saved_filter_id: 'f-1', revision: 4, pinned: false, own: true } as unknown as SavedFilter;

afterEach(closePage);

/** What saving a filter sends, with the revision that it requires, and whether the filters are loaded again. */
async function saved(pinned: boolean, replaced?: SavedFilter) {
  const requests = await showReplies(() => present);
  queries.setQueryData(KEY, []);
  await saveFilter({ ...body, pinned }, replaced);
  const sent = requests.map(({ method, path, headers, body: text }) => [
    ...[`${method} ${path}`, headers['If-Match'], JSON.parse(text)],
  ]);
  return { sent, isOld: queries.getQueryState(KEY)?.isInvalidated };
}

test('a new filter is added and then pinned on request, and an existing one is replaced in the shown revision', async () => {
  const added = ['POST /v1/saved-filters', undefined, body];
  expect(await saved(false)).toEqual({ sent: [added], isOld: true });
  expect(await saved(true)).toEqual({
    sent: [added, ['PATCH /v1/saved-filters/f-1', undefined, { pinned: true }]],
    isOld: true,
  });
  const { sent, isOld } = await saved(true, present);
  const [[request, revision, sentBody]] = sent as [[string, string, object]];
  expect([request, isOld, sent.length]).toEqual(['PATCH /v1/saved-filters/f-1', true, 1]);
  expect(revision).toContain('4');
  expect(sentBody).toEqual({ parameters: body.parameters, pinned: true });
});

test('a filter is an address of its list', () => {
  expect(hrefOfFilter(present)).toBe('#/nodes?region=eu');
});

test.each([
  ['Viewer', { shared: false, own: true }, true],
  ['Viewer', { shared: true, own: true }, false],
  ['Viewer', { shared: true, own: false }, false],
  ['Editor', { shared: true, own: true }, true],
  ['Editor', { shared: true, own: false }, false],
  ['Editor', { shared: false, own: false }, false],
  ['Admin', { shared: true, own: false }, true],
  ['Admin', { shared: false, own: true }, true],
  ['Admin', { shared: false, own: false }, false],
] as const)('whether a caller with the role %s may change the filter %j: %s', (role, filter, may) => {
  expect(mayChangeFilter(filter, { role })).toBe(may);
});
