import { fakeTable } from '../../../tests/support/table.ts';
import { isSetUp } from './health-check.ts';

test('a table is set up when it contains the secret of page tokens', async () => {
  const keys: unknown[] = [];
  const holding = (Item: object | undefined) =>
    fakeTable((_, { Key }) => {
      keys.push(Key);
      return { Item };
    });
  expect(await isSetUp(holding({ pk: 'x' }))).toBe(true);
  expect(await isSetUp(holding(undefined))).toBe(false);
  expect(keys[0]).toEqual({ pk: 'SECRET#PAGE_TOKEN', sk: 'SECRET' });
});

test('a table that cannot be written, or does not answer, is not ready', async () => {
  const failed = new Error('full');
  await expect(isSetUp({ ...fakeTable(() => ({ Item: {} })), check: () => Promise.reject(failed) })).rejects.toBe(
    failed,
  );
  await expect(
    isSetUp(
      fakeTable(() => {
        throw failed;
      }),
    ),
  ).rejects.toBe(failed);
});
