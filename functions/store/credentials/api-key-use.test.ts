import { TransactionConflictException } from '../../../shared/db/table-errors.ts';
import type { Table } from '../../../shared/db/table.ts';
import { addKey, apiKey } from '../../../tests/support/credentials.ts';
import { withSend } from '../../../tests/support/table.ts';
import { isUseWorthRecording, recordFirstUse, recordUse } from './api-key-use.ts';
import { findApiKey, findSecret } from './api-keys.ts';
import { countUse, sumOfUses } from './use-counts.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const NOW = 1_000_000;
const useOf = (hash: string, seconds = 0) => ({
  key: apiKey({ key_id: hash }),
  hash,
  newest: hash,
  nowSeconds: NOW + seconds,
  sourceIp: '10.0.0.1',
});

test('a use is recorded at most every 300 seconds', async () => {
  expect(isUseWorthRecording(apiKey(), NOW, false)).toBe(true);
  expect(isUseWorthRecording(apiKey({ last_used_at: NOW - 299 }), NOW, false)).toBe(false);
  expect(isUseWorthRecording(apiKey({ last_used_at: NOW - 300 }), NOW, false)).toBe(true);
  const { key_id: hash } = await addKey(table);
  const used = async (seconds: number) => [
    await recordUse(table, useOf(hash, seconds)),
    (await findApiKey(table, hash))?.last_used_at,
  ];
  expect(await used(0)).toEqual([true, NOW]);
  expect(await used(299)).toEqual([false, NOW]);
  expect(await used(300)).toEqual([true, NOW + 300]);
  expect(await findApiKey(table, hash)).toMatchObject({ last_used_from: '10.0.0.1' });
});

test("a report with the host's key is recorded once a day, because the heartbeat has its time; other keys as other uses", () => {
  const usedBefore = (seconds: number, more: object = {}) =>
    isUseWorthRecording(apiKey({ last_used_at: NOW - seconds, ...more }), NOW, true);
  const host = { role: 'Registrar', node_id: 'n' };
  expect(isUseWorthRecording(apiKey({ node_id: 'n' }), NOW, true)).toBe(true);
  expect([usedBefore(86_399, host), usedBefore(86_400, host)]).toEqual([false, true]);
  expect([usedBefore(299), usedBefore(300)]).toEqual([false, true]);
  expect(isUseWorthRecording(apiKey({ last_used_at: NOW - 300, node_id: 'n' }), NOW, false)).toBe(true);
});

test('using a removed key adds nothing', async () => {
  expect(await recordUse(table, useOf('removed'))).toBe(false);
  expect(await findApiKey(table, 'removed')).toBeUndefined();
});

test('using a former secret is recorded for it and the newest one, also after the newest was removed', async () => {
  const [former, newest] = [await addKey(table), await addKey(table)];
  const used = (seconds: number, more: object = {}) =>
    recordUse(table, { ...useOf(former.key_id, seconds), newest: newest.key_id, ...more });
  expect([await used(0), await used(299)]).toEqual([true, false]);
  expect(await findApiKey(table, former.key_id)).toMatchObject({ last_used_at: NOW, last_used_from: '10.0.0.1' });
  const shown = await findApiKey(table, newest.key_id);
  expect(shown).toMatchObject({ former_last_used_at: NOW, former_last_used_from: '10.0.0.1' });
  expect(shown).not.toHaveProperty('last_used_at');
  expect(await used(300, { newest: 'removed' })).toBe(true);
  expect(await findApiKey(table, 'removed')).toBeUndefined();
});

test('a first use is accepted once it or another use is recorded', async () => {
  const { key_id: hash } = await addKey(table);
  expect(await recordFirstUse(table, useOf(hash))).toBe(true);
  expect(await recordFirstUse(table, useOf(hash, 1))).toBe(true);
  expect((await findApiKey(table, hash))?.last_used_at).toBe(NOW);
  expect(await recordFirstUse(table, useOf('removed'))).toBe(false);
});

test('a conflict with a repeated rotation is retried, and any other error is final', async () => {
  const { key_id: hash } = await addKey(table);
  let error: Error | undefined = new TransactionConflictException({ message: 'x' });
  const send = (command: any) => {
    const failure = error;
    error = undefined;
    return failure === undefined ? table.client.send(command) : Promise.reject(failure);
  };
  const at = withSend(table, send);
  expect(await recordFirstUse(at, useOf(hash))).toBe(true);
  error = new Error('no reply');
  await expect(recordFirstUse(at, useOf(hash))).rejects.toThrow('no reply');
});

describe('uses by day', () => {
  const DAY = '2026-05-01';
  const noon = new Date(`${DAY}T12:00:00Z`);
  const at = (minutes: number) => new Date(noon.getTime() + minutes * 60_000);

  /** Uses of a key in a process, one after the other; the process records them as the authorizer does. */
  const use = async (process: Table, id: string, times: readonly Date[], of: object = {}) => {
    const find = async (place: Table) => (await findSecret(place, { kind: 'api_key', ...of }, id))!;
    for (const time of times) {
      const key = await find(process);
      countUse(process, key, time);
      const nowSeconds = time.getTime() / 1000;
      if (isUseWorthRecording(key, nowSeconds, false))
        await recordUse(process, { key, hash: id, newest: id, nowSeconds, sourceIp: '10.0.0.1' });
    }
    return (await find(table)).uses;
  };

  test('are written with the next recorded use, each for its day', async () => {
    const { key_id: id } = await addKey(table);
    expect(await use(table, id, [at(0), at(1), at(2)])).toEqual({ [DAY]: 1 });
    expect(await use(table, id, [at(5)])).toEqual({ [DAY]: 4 });
    expect(await use(table, id, [at(6), at(720)])).toEqual({ [DAY]: 5, '2026-05-02': 1 });
  });

  test('are written by each process, and wait while another process writes', async () => {
    const { key_id: id } = await addKey(table);
    const other = { ...table };
    await use(table, id, [at(0)]);
    await use(other, id, [at(1), at(2)]);
    const key = (await findApiKey(other, id))!;
    expect(await use(table, id, [at(5)])).toEqual({ [DAY]: 2 });
    // This process read the key before the other one recorded a use.
    const late = { key, hash: id, newest: id, nowSeconds: at(5).getTime() / 1000, sourceIp: '10.0.0.1' };
    expect(await recordUse(other, late)).toBe(false);
    expect((await findApiKey(table, id))!.uses).toEqual({ [DAY]: 2 });
    expect(await use(other, id, [at(10)])).toEqual({ [DAY]: 5 });
  });

  test('count a former secret for the newest one', async () => {
    const former = await addKey(table);
    const newest = await addKey(table, { uses: { [DAY]: 3 } });
    for (const minutes of [0, 5]) {
      const key = { ...(await findApiKey(table, former.key_id))!, key_id: newest.key_id };
      countUse(table, key, at(minutes));
      const nowSeconds = at(minutes).getTime() / 1000;
      const times = { nowSeconds, sourceIp: '10.0.0.1' };
      await recordUse(table, { key, hash: former.key_id, newest: newest.key_id, ...times });
    }
    expect(await findApiKey(table, newest.key_id)).toMatchObject({ uses: { [DAY]: 3 }, former_uses: { [DAY]: 2 } });
    expect(await findApiKey(table, former.key_id)).not.toHaveProperty('uses');
  });

  test('omit sessions, and keys of programs of a provider', async () => {
    for (const more of [{ kind: 'session' as const }, { provider: 'ci' }]) {
      const { key_id: id } = await addKey(table, more);
      expect(await use(table, id, [at(0)], more)).toBeUndefined();
    }
  });

  test('cover the latest seven days, and the counts of 10,000 keys wait', async () => {
    const days = Array.from({ length: 9 }, (_, index) => [`2026-05-0${index + 1}`, index + 1] as const);
    const sum = days.reduce<Record<string, number>>((all, [day, count]) => sumOfUses({ [day]: count }, all), {});
    expect(sum).toEqual(Object.fromEntries(days.slice(2)));
    const { key_id: id } = await addKey(table);
    const process = { ...table };
    await use(process, id, [at(0), at(1), at(2)]);
    for (let count = 0; count < 9999; count += 1) countUse(process, apiKey(), at(3));
    expect(await use(process, id, [at(5)])).toEqual({ [DAY]: 4 });
    await use(process, id, [at(6)]);
    for (let count = 0; count < 10_000; count += 1) countUse(process, apiKey(), at(7));
    expect(await use(process, id, [at(10)])).toEqual({ [DAY]: 5 });
  });
});
