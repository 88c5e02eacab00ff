import { TransactionConflictException } from '../../../shared/db/table-errors.ts';
import type { Table } from '../../../shared/db/table.ts';
import { addKey, apiKey } from '../../../tests/support/credentials.ts';
import { startTable } from '../../../tests/support/table.ts';
import { isUseWorthRecording, recordFirstUse, recordUse } from './api-key-use.ts';
import { findApiKey } from './api-keys.ts';

let table: Table;
let stop: () => Promise<void>;
beforeAll(async () => ({ table, stop } = await startTable()));
afterAll(() => stop());

const NOW = 1_000_000;
const useOf = (hash: string, seconds = 0) => ({
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

test('a report with the key of its host is recorded once a day, because the heartbeat has it; of any other key as other uses', () => {
  const usedBefore = (seconds: number, more: object = {}) =>
    isUseWorthRecording(apiKey({ last_used_at: NOW - seconds, ...more }), NOW, true);
  const host = { role: 'Registrar', node_id: 'n' };
  expect(isUseWorthRecording(apiKey({ node_id: 'n' }), NOW, true)).toBe(true);
  expect([usedBefore(86_399, host), usedBefore(86_400, host)]).toEqual([false, true]);
  expect([usedBefore(299), usedBefore(300)]).toEqual([false, true]);
  expect(isUseWorthRecording(apiKey({ last_used_at: NOW - 300, node_id: 'n' }), NOW, false)).toBe(true);
});

test('the use of a removed key adds nothing', async () => {
  expect(await recordUse(table, useOf('removed'))).toBe(false);
  expect(await findApiKey(table, 'removed')).toBeUndefined();
});

test('a first use is accepted when it, or another use, is recorded', async () => {
  const { key_id: hash } = await addKey(table);
  expect(await recordFirstUse(table, useOf(hash))).toBe(true);
  expect(await recordFirstUse(table, useOf(hash, 1))).toBe(true);
  expect((await findApiKey(table, hash))?.last_used_at).toBe(NOW);
  expect(await recordFirstUse(table, useOf('removed'))).toBe(false);
});

test('a conflict with a repeated rotation is tried again; any other error is final', async () => {
  const { key_id: hash } = await addKey(table);
  let error: Error | undefined = new TransactionConflictException({ message: 'x' });
  const send = (command: any) => {
    const failure = error;
    error = undefined;
    return failure === undefined ? table.client.send(command) : Promise.reject(failure);
  };
  const at = { ...table, client: { send } as never };
  expect(await recordFirstUse(at, useOf(hash))).toBe(true);
  error = new Error('no reply');
  await expect(recordFirstUse(at, useOf(hash))).rejects.toThrow('no reply');
});
