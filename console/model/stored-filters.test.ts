import { moveStoredFilters, storedFilters } from './stored-filters.ts';

const admin = { kind: 'session', id: 'session-1', name: 'admin' } as const;
const other = { kind: 'session', id: 'session-2', name: 'kim/nodes' } as const;
const key = { kind: 'api_key', id: 'key-1', name: 'admin' } as const;

function storageOf(entries: Record<string, unknown>) {
  const stored = new Map(Object.entries(entries).map(([name, value]) => [name, JSON.stringify(value)]));
  return {
    stored,
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  };
}

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => ({ name, query: { region: name } }));
const all = () =>
  storageOf({
    'saved-filters/user/admin/nodes': [a, b],
    'saved-filters/user/kim%2Fnodes/nodes': [c],
    'saved-filters/key/key-1/nodes': [d],
  });

test('each user and each API key has its own filters, and users have those that were stored for all', () => {
  const storage = all();
  storage.setItem('saved-filters/nodes', JSON.stringify([d]));
  const of = (caller: Parameters<typeof storedFilters>[1], folder = 'nodes') => storedFilters(storage, caller, folder);
  expect([of(admin), of(other), of(key), of(admin, 'agents')]).toEqual([[a, b, d], [c, d], [d], []]);
});

test('text that the console has not written is no filter', () => {
  const storage = storageOf({ 'saved-filters/user/admin/nodes': { name: 'x' } });
  expect(storedFilters(storage, admin, 'nodes')).toEqual([]);
});

test('filters are moved one by one; one that cannot be saved and those after it stay in the browser', async () => {
  const storage = all();
  const saved: unknown[] = [];
  const save = (filter: { name: string }) => {
    if (filter.name === 'b') return Promise.reject(new Error('refused'));
    saved.push(filter);
    return Promise.resolve();
  };
  await expect(moveStoredFilters(storage, admin, 'nodes', save)).rejects.toThrow('refused');
  expect([saved, storedFilters(storage, admin, 'nodes')]).toEqual([[a], [b]]);
  await moveStoredFilters(storage, admin, 'nodes', () => Promise.resolve());
  expect([...storage.stored.keys()]).toEqual(['saved-filters/user/kim%2Fnodes/nodes', 'saved-filters/key/key-1/nodes']);
});
