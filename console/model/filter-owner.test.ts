import { filtersKey, takeOver } from './filter-owner.ts';

const admin = { kind: 'session', id: 'session-1', name: 'admin' } as const;
const other = { kind: 'session', id: 'session-2', name: 'kim/nodes' } as const;
const key = { kind: 'api_key', id: 'key-1', name: 'admin' } as const;

function storageOf(entries: Record<string, string>) {
  const stored = new Map(Object.entries(entries));
  return {
    stored,
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  };
}

test('each user and each API key has filters of their own, in every session', () => {
  const keys = [admin, other, key, { ...key, id: 'key-2' }].map((caller) => filtersKey(caller, 'nodes'));
  expect(new Set(keys).size).toBe(4);
  expect(filtersKey({ ...admin, id: 'session-3' }, 'nodes')).toBe(keys[0]);
  expect(filtersKey(admin, 'services')).not.toBe(keys[0]);
});

test('the first user with a password gets the filters that the browser stored for all users, and no other user does', () => {
  const storage = storageOf({ 'saved-filters/nodes': '[1]' });
  takeOver(storage, key, 'nodes');
  expect(storage.getItem(filtersKey(key, 'nodes'))).toBeNull();
  takeOver(storage, admin, 'nodes');
  takeOver(storage, other, 'nodes');
  expect([...storage.stored]).toEqual([[filtersKey(admin, 'nodes'), '[1]']]);
});

test('filters that a user has saved are not replaced by those of everybody', () => {
  const own = filtersKey(admin, 'nodes');
  const storage = storageOf({ 'saved-filters/nodes': '[1]', [own]: '[2]' });
  takeOver(storage, admin, 'nodes');
  expect([...storage.stored]).toEqual([[own, '[2]']]);
});
