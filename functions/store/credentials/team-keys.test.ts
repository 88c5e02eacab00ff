import { addKey, apiKey, causeAt } from '../../../tests/support/credentials.ts';
import { clear, disturbed, itemAt, putItem } from '../../../tests/support/table.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { transact } from '../../../shared/db/transact.ts';
import { StaleRead } from '../../../shared/db/contention.ts';
import { apiKeyCounterKey } from '../table/keys.ts';
import { findById } from './api-keys.ts';
import { MAX_TEAM_KEYS } from './key-counters.ts';
import { removeApiKey } from './remove-api-key.ts';
import {
  checkLowerRate,
  checkNarrower,
  checkTeam,
  isOfTeam,
  ownersOfNewKey,
  rateOfNewKey,
  teamShareSteps,
} from './team-keys.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable(/API_KEYS/);
beforeEach(() => clear(table));

const now = testTime();
const limit = { label: 'team', owners: ['a', 'b'] };
const errorOf = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    return (error as { kind: string }).kind;
  }
};

test('a caller with owners sees the keys whose owners are a subset of its own; without owners it sees all', () => {
  const seen = (owners?: string[]) => [isOfTeam({ limit }, { owners }), isOfTeam({}, { owners })];
  expect([seen(['a']), seen(['b', 'a']), seen(['a', 'c']), seen()]).toEqual([
    [true, true],
    [true, true],
    [false, true],
    [false, true],
  ]);
});

test('a key of the team is found, one of another team is not', async () => {
  const addedKey = async (owners?: string[]) => {
    const { key_id: id } = await addKey(table, { role: 'Editor', owners });
    return (await findById(table, id))!;
  };
  await checkTeam(table, await addedKey(['b']), { limit });
  await checkTeam(table, await addedKey(), {});
  for (const key of [await addedKey(['c']), await addedKey()])
    await expect(checkTeam(table, key, { limit })).rejects.toMatchObject({ kind: 'notFound' });
  // Removed since it was read: the attempt is repeated.
  const gone = { ...(await addedKey(['a'])), key_hash: 'gone' };
  await expect(checkTeam(table, gone, { limit })).rejects.toThrow(StaleRead);
});

test('a caller with owners lowers a rate limit, and neither raises nor removes it', () => {
  const check = (present: number | undefined, next: number | null, by = { limit } as Parameters<typeof isOfTeam>[0]) =>
    errorOf(() => checkLowerRate(by, present, next));
  expect([check(5, 4), check(5, 5), check(undefined, 9), check(undefined, null)]).toEqual(Array(4).fill(undefined));
  expect([check(5, 6), check(5, null)]).toEqual(['permissionDenied', 'permissionDenied']);
  expect([check(5, 6, {}), check(5, null, {})]).toEqual([undefined, undefined]);
});

describe('the rate limit of a new key', () => {
  const caller = { kind: 'api_key', keyId: 'k', secretDigest: 'd' } as const;

  test('is the given one for a caller without owners, or one that is no key', () => {
    const free = (by: object, who: object, given?: number) => rateOfNewKey(by, { ...caller, ...who }, given);
    const given = { fields: { rate_limit_per_minute: 7 }, conditions: [] };
    expect(free({}, { ratePerMinute: 5 }, 7)).toEqual(given);
    expect(free({ limit }, { kind: 'session', ratePerMinute: 5 }, 7)).toEqual(given);
    expect(free({ limit }, { secretDigest: undefined }, 7)).toEqual(given);
    expect(free({}, { ratePerMinute: 5 })).toEqual({ fields: {}, conditions: [] });
  });

  test('is at most that of a caller with owners, which is the default, and shared with it', () => {
    const fields = (given?: number, rateGroup?: string) =>
      rateOfNewKey({ limit }, { ...caller, ratePerMinute: 5, rateGroup }, given).fields;
    expect(fields()).toEqual({ rate_limit_per_minute: 5, rate_group: 'k' });
    expect(fields(4, 'first')).toEqual({ rate_limit_per_minute: 4, rate_group: 'first' });
    expect(errorOf(() => fields(6))).toBe('permissionDenied');
  });

  test("requires the caller's present limit", async () => {
    const { key_id: id } = await addKey(table, { role: 'Editor', owners: ['a'] });
    const write = (ratePerMinute?: number) =>
      transact(table, rateOfNewKey({ limit }, { ...caller, secretDigest: id, ratePerMinute }, undefined).conditions);
    await write();
    await expect(write(5)).rejects.toMatchObject({ kind: 'permissionDenied' });
    expect(rateOfNewKey({ limit }, { ...caller, secretDigest: id }, 7).fields).toEqual({ rate_limit_per_minute: 7 });
  });
});

test('a new key has the given owners, by default those of the caller, and never others', () => {
  const owners = (
    given: string[] | undefined,
    role: 'Editor' | 'Viewer' | 'Admin' = 'Editor',
    by: object = { limit },
  ) => errorOf(() => ownersOfNewKey(by, { role, owners: given }));
  expect([owners(['a']), owners(undefined), owners(['b'], 'Viewer')]).toEqual([['a'], ['a', 'b'], ['b']]);
  expect([owners(['a', 'c']), owners(['a'], 'Admin')]).toEqual(['permissionDenied', 'permissionDenied']);
  expect([owners(['c'], 'Admin', {}), owners(undefined, 'Admin', {})]).toEqual([['c'], undefined]);
});

test('the owners of a key can only be narrowed, and only an Editor or a Viewer has owners', () => {
  const narrower = (next: string[], more: object) => errorOf(() => checkNarrower(apiKey(more), next));
  expect(narrower(['a'], { role: 'Editor', owners: ['a', 'b'] })).toBeUndefined();
  expect(narrower(['a'], { role: 'Viewer' })).toBeUndefined();
  expect(narrower(['a', 'c'], { role: 'Editor', owners: ['a', 'b'] })).toBe('failedPrecondition');
  expect(narrower(['a'], { role: 'Admin' })).toBe('failedPrecondition');
});

describe('the share of a team', () => {
  const add = (count: number, owners: string[]) =>
    Promise.all(Array.from({ length: count }, () => addKey(table, { role: 'Viewer', owners })));
  const share = (by: object = { limit }) => teamShareSteps(table, { ...by, now });

  test('is available up to its maximum, whatever others use', async () => {
    expect(await share()).toHaveLength(1);
    await add(MAX_TEAM_KEYS - 1, ['a']);
    const [other] = await add(1, ['c']);
    expect(await itemAt(table, apiKeyCounterKey)).toMatchObject({ api_keys: MAX_TEAM_KEYS });
    expect(await share()).toHaveLength(1);
    await removeApiKey(table, other!.key_id, causeAt(now));
    await add(1, ['b']);
    await expect(share()).rejects.toMatchObject({
      kind: 'resourceExhausted',
      message: `The maximum of ${MAX_TEAM_KEYS} API keys of team a, b is reached. Remove a key first.`,
    });
    expect(await share({})).toEqual([]);
  });

  test('needs no list of keys while the inventory is below its maximum', async () => {
    await putItem(table, { ...apiKeyCounterKey, api_keys: MAX_TEAM_KEYS - 1, permanent_admins: 0 });
    const queries: string[] = [];
    const send = async (command: any) => {
      queries.push(command.constructor.name);
      return table.client.send(command);
    };
    await teamShareSteps({ ...table, client: { send } as never }, { limit, now });
    expect(queries).toEqual(['GetCommand', 'GetCommand']);
  });

  test('takes only one of two simultaneous additions', async () => {
    const steps = await share();
    const write = transact(
      disturbed(table, async () => transact(table, await share())),
      steps,
    );
    await expect(write).rejects.toThrow(StaleRead);
  });
});
