import { transact } from '../../../shared/db/transact.ts';
import { itemAt, putItem } from '../../../tests/support/table.ts';
import { TTL_ATTRIBUTE } from '../table/keys.ts';
import { claimant, claimOwners, isFreeAt, isHeldByItself, releasedClaim, releaseIn } from './claim-owners.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const key = (name: string) => ({ pk: name, sk: 'CLAIM' });
const held = (name: string, owner_id: string) => ({ ...key(name), owner_id });

test('a claim with the id of an object belongs to it', () => {
  expect([claimant(held('a', 'x')), claimant(releasedClaim(key('a'), 5))]).toEqual(['x', undefined]);
  expect(isHeldByItself(held('a', 'x'), held('a', 'x'))).toBe(true);
  expect([isHeldByItself(held('a', 'y'), held('a', 'x')), isHeldByItself(undefined, held('a', 'x'))]).toEqual([
    ...[false, false],
  ]);
});

test('a released name keeps its release time for an hour', () => {
  const released = releasedClaim({ ...key('a'), owner_id: 'x' } as never, 5000);
  expect(released).toEqual({ ...key('a'), released_at: 5000, [TTL_ATTRIBUTE]: 5 + 3600 });
  expect([releaseIn(released), releaseIn(held('a', 'x')), releaseIn(undefined)]).toEqual([5000, undefined, undefined]);
});

test.each([
  ['that nobody ever had', undefined, true],
  ['that was released before', releasedClaim(key('free'), 4999), true],
  ['that was released at that time', releasedClaim(key('free'), 5000), false],
  ['that an object holds', held('free', 'x'), false],
])('a name %s: free is %s', async (_, item, isFree) => {
  const freeKey = key(`free ${_}`);
  if (item !== undefined) await putItem(table, { ...item, ...freeKey });
  const take = transact(table, [{ put: { ...freeKey, owner_id: 'new' }, condition: isFreeAt(5000) }]);
  expect(
    await take.then(
      () => true,
      () => false,
    ),
  ).toBe(isFree);
  expect((await itemAt(table, freeKey))?.['owner_id'] === 'new').toBe(isFree);
});

test('owners of claims are read at once, and a free claim has none', async () => {
  await putItem(table, held('a', 'x'));
  await putItem(table, held('b', 'y'));
  await putItem(table, releasedClaim(key('c'), 5));
  const owners = await claimOwners(table, ['a', 'b', 'a', 'c', 'd'].map(key));
  expect(Object.fromEntries(owners)).toEqual({ a: 'x', b: 'y' });
});
