import type { Table } from '../../../shared/db/table.ts';
import { contextOf } from '../../../tests/support/store.ts';
import { putItem, startTable } from '../../../tests/support/table.ts';
import { MAX_SILENCES } from '../../domain/records/silence.ts';
import { readSilences } from '../entities/silences.ts';
import { accessEventKey, silenceKey } from '../table/keys.ts';
import { readCollection } from '../table/read.ts';
import { addSilence, removeSilence } from './change-silences.ts';

let table: Table;
let stop: () => Promise<void>;
beforeEach(async () => ({ table, stop } = await startTable()));
afterEach(() => stop());

const NOW = new Date('2026-05-01T10:00:00Z');
const SECONDS = NOW.getTime() / 1000;

const cause = contextOf({ clock: () => NOW });
const ofTeam = contextOf({ clock: () => NOW, limit: { label: 'team', owners: ['dba'] } });

const add = (selector: string, more: { reason?: string; expires_at?: number } = {}, by = cause) =>
  addSilence(table, { selector, reason: 'upgrade', expires_at: SECONDS + 60, ...more }, by);
const present = async (seconds = 0) =>
  (await readSilences(table, new Date((SECONDS + seconds) * 1000))).map(({ selector }) => selector).sort();
const events = async () =>
  (await readCollection(table, accessEventKey('silence.added', 0, '').pk)).map(({ event }) => event).sort();

test('equal selectors have one silence, with the last reason and end', async () => {
  const first = await add('team=a,env in (prod,stage)');
  const second = await add(' team = a , env in ( prod,stage )', { reason: 'move', expires_at: SECONDS + 120 });
  expect(second.silence_id).toMatch(/^[0-9a-f]{16}$/);
  expect(second.silence_id).toBe(first.silence_id);
  const silences = await readSilences(table, NOW);
  expect(silences).toMatchObject([{ reason: 'move', expires_at: SECONDS + 120, created_by: cause.actor }]);
});

test('a silence ends by itself, or is removed once', async () => {
  const { silence_id: id } = await add('team=a');
  await add('team=b', { expires_at: SECONDS + 30 });
  expect([await present(), await present(30)]).toEqual([['team=a', 'team=b'], ['team=a']]);
  await removeSilence(table, id, cause);
  await expect(removeSilence(table, id, cause)).rejects.toMatchObject({ kind: 'notFound' });
  await expect(removeSilence(table, 'absent', cause)).rejects.toMatchObject({ kind: 'notFound' });
  expect(await present()).toEqual(['team=b']);
  expect(await events()).toEqual(['silence.added', 'silence.added', 'silence.removed']);
});

test('at the limit a silence can be replaced or wait for an end, but none can be added', async () => {
  for (let number = 0; number < MAX_SILENCES; number += 1) {
    const silence = { silence_id: `s${number}`, selector: `n=${number}`, reason: 'r', expires_at: SECONDS + 60 };
    await putItem(table, {
      ...{ ...silence, ...silenceKey(silence.silence_id), created_at: NOW.toISOString() },
      created_by: { kind: 'system', id: 'test', name: 'test' },
      ...(number === 0 ? { expires_at: SECONDS + 1 } : {}),
    });
  }
  await expect(add('team=a')).rejects.toMatchObject({ kind: 'resourceExhausted' });
  const later = contextOf({ clock: () => new Date((SECONDS + 1) * 1000) });
  await add('team=a', {}, later);
  await expect(add('team=b', {}, later)).rejects.toMatchObject({ kind: 'resourceExhausted' });
  await expect(add('team=a', { reason: 'other' }, later)).resolves.toMatchObject({ reason: 'other' });
});

test('a caller with owners silences only their objects, and cannot end silences of others', async () => {
  const { silence_id: id } = await add('team=web');
  await add('team=dba,env=prod', {}, ofTeam);
  for (const selector of ['env=prod', 'team=web', 'team in (dba,web)'])
    await expect(add(selector, {}, ofTeam)).rejects.toMatchObject({ kind: 'permissionDenied' });
  await expect(removeSilence(table, id, ofTeam)).rejects.toMatchObject({ kind: 'permissionDenied' });
  expect(await present()).toEqual(['team=dba,env=prod', 'team=web']);
});
