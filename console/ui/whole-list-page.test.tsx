import { Network } from '../testing/network.tsx';
import { cellsOf, closePage, rowsOf, screen, show, textOf, user } from '../testing/page.tsx';
import { createdColumn, creatorColumn, WholeListPage } from './whole-list-page.tsx';

afterEach(closePage);

const things = [{ id: 'a', created_at: '2026-03-02T09:30:00Z', created_by: { name: 'maria' } }];

type Props = Parameters<typeof WholeListPage<(typeof things)[number]>>[0];

/** Shows a list of things. @returns how often its button was clicked. */
async function showList(
  value: typeof things,
  { width = 1280, isAddable = true, ...more }: Partial<Props> & { width?: number; isAddable?: boolean } = {},
): Promise<() => number> {
  let added = 0;
  await show(
    <WholeListPage
      title="Things"
      noun="things"
      description="All of them."
      list={{ value, loading: false, failure: undefined, reload: () => undefined }}
      idField="id"
      columns={[{ id: 'id', header: 'Id', isRowHeader: true, cell: ({ id }) => id }, createdColumn, creatorColumn]}
      request={{ method: 'GET', path: '/v1/things' }}
      {...(isAddable && { add: { text: 'Add thing', act: () => void (added += 1) } })}
      empty={{ title: 'No things' }}
      {...more}
    />,
    { network: new Network(() => Promise.reject(new Error('no server'))), width },
  );
  return () => added;
}

const headers = () => screen.getAllByRole('columnheader').map((header) => textOf(header));

test('a wide page has all columns, and a narrow one those that it has room for', async () => {
  await showList(things);
  expect(headers()).toEqual(['Id', 'Created', 'Created by']);
  expect(cellsOf(rowsOf('Things'))[0]).toEqual(['a', expect.stringContaining('2026'), 'maria']);
  await showList(things, { width: 600 });
  expect(headers()).toEqual(['Id']);
});

test('the button that adds an item is also in the empty list, and without one there is none', async () => {
  const added = await showList([]);
  const buttons = screen.getAllByRole('button', { name: 'Add thing' });
  for (const button of buttons) await user.click(button);
  expect([buttons.length, added()]).toEqual([2, 2]);
  expect(textOf(screen.getByRole('table'))).toContain('No things');
  await showList([], { isAddable: false });
  expect(screen.queryByRole('button', { name: 'Add thing' })).toBeNull();
});

test('the heading counts the loaded items, or has the count that is given', async () => {
  await showList(things);
  expect(textOf(screen.getByRole('heading', { level: 1 }))).toBe('Things (1)');
  await showList(things, { count: '7+', items: [] });
  expect(textOf(screen.getByRole('heading', { level: 1 }))).toBe('Things (7+)');
  expect(textOf(screen.getByRole('table'))).toContain('No things');
});
