import { newTransactionName } from './random-suffix.ts';

test('a suffix has six letters and digits, different each time', () => {
  const names = Array.from({ length: 200 }, newTransactionName);
  for (const name of names) expect(name).toMatch(/^[0-9a-z]{6}$/);
  expect(new Set(names).size).toBe(200);
});
