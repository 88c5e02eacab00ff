import { randomBytes } from 'node:crypto';
import { newApiKeySecret } from '../../shared/auth/api-key-text.ts';
import { manualClock } from '../../tests/support/manual-clock.ts';
import { claimToken, DatedStore, keySource, type KeyStore, MissingKey, rotateWhenOld } from './gateway-key.ts';

const newKey = () => newApiKeySecret(randomBytes);
const NOW = new Date('2026-06-01T00:00:00Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000);

test('a key is read once and again after a refusal, with one read for simultaneous requests', async () => {
  const texts = [newKey(), newKey()];
  let reads = 0;
  const clock = manualClock();
  const source = keySource(() => Promise.resolve(texts[Math.min(reads++, 1)]!), clock);
  expect(await Promise.all([source.current(), source.current()])).toEqual([texts[0], texts[0]]);
  // A source that was read just now is not read again.
  expect(await source.renew(texts[0]!)).toBe(false);
  clock.advance(999);
  expect(await source.renew(texts[0]!)).toBe(false);
  clock.advance(1);
  const renewed = await Promise.all([source.renew(texts[0]!), source.renew(texts[0]!)]);
  expect(renewed).toContain(true);
  expect([await source.current(), reads]).toEqual([texts[1], 2]);
  expect(await source.renew(texts[0]!)).toBe(true);
});

test('a secret without a key is a separate failure, which is not cached', async () => {
  const texts = ['', newKey()];
  const source = keySource(() => Promise.resolve(texts.shift()!), manualClock());
  await expect(source.current()).rejects.toThrow(MissingKey);
  expect(await source.current()).toMatch(/^minv_/);
});

/** A store in memory, as Secrets Manager: a version that exists is not added again. */
function storeOf(text: string, setAt: Date) {
  const state = { text, setAt, versionId: 'v1', claims: new Set<string>() };
  const store: KeyStore = {
    read: () => Promise.resolve({ ...state }),
    write: (next) => {
      Object.assign(state, { text: next, setAt: NOW, versionId: 'v2' });
      return Promise.resolve();
    },
    claim: (versionId, period) => {
      const token = claimToken(versionId, period);
      const isFirst = !state.claims.has(token);
      state.claims.add(token);
      return Promise.resolve(isFirst);
    },
  };
  return { state, store };
}

test('of several gateways one rotates an old key, and stores it', async () => {
  const { state, store } = storeOf(newKey(), daysAgo(31));
  const before = state.text;
  const next = newKey();
  const used: string[] = [];
  const rotate = (key: string) => {
    used.push(key);
    return Promise.resolve({ key: next });
  };
  const run = () => rotateWhenOld({ store, rotate, log: () => undefined, clock: () => NOW });
  expect((await Promise.all([run(), run(), run()])).filter(Boolean)).toHaveLength(1);
  expect([used, state.text]).toEqual([[before], next]);
  expect(await run()).toBe(false);
});

test('a young or missing key is not rotated, and after a failure the right is free in an hour', async () => {
  let calls = 0;
  const rotate = () => {
    calls += 1;
    return Promise.reject(new Error('away'));
  };
  const run = (store: KeyStore, now = NOW) => rotateWhenOld({ store, rotate, log: () => undefined, clock: () => now });
  expect(await run(storeOf(newKey(), daysAgo(29)).store)).toBe(false);
  expect(await run(storeOf('none', daysAgo(99)).store)).toBe(false);
  const { store } = storeOf(newKey(), daysAgo(31));
  await expect(run(store)).rejects.toThrow('away');
  expect(await run(store)).toBe(false);
  await expect(run(store, new Date(NOW.getTime() + 3_600_000))).rejects.toThrow('away');
  expect(calls).toBe(2);
});

test('a claim has the form of a version id', () => {
  expect(claimToken('v', '2026-06-01T00')).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(claimToken('v', '2026-06-01T00')).not.toBe(claimToken('v', '2026-06-01T01'));
});

test('the age of a key grows while its store cannot be read, and begins anew with the next key', async () => {
  const { state, store } = storeOf('none yet', daysAgo(40));
  let isAway = false;
  const read = () => (isAway ? Promise.reject(new Error('away')) : store.read());
  const dated = new DatedStore({ ...store, read });
  await dated.read();
  expect(dated.ageMs(NOW)).toBeUndefined();
  Object.assign(state, { text: newKey(), setAt: daysAgo(2) });
  await dated.read();
  isAway = true;
  await expect(dated.read()).rejects.toThrow('away');
  expect(dated.ageMs(NOW)).toBe(2 * 86_400_000);
  isAway = false;
  await dated.write(newKey());
  await dated.read();
  expect(dated.ageMs(NOW)).toBe(0);
});
