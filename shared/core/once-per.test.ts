import { oncePer } from './once-per.ts';

test('a result is computed once per object, also among equal objects', () => {
  let computed = 0;
  const doubled = oncePer(({ value }: { value: number }) => {
    computed += 1;
    return [value, value];
  });
  const [first, equal] = [{ value: 1 }, { value: 1 }];
  expect(doubled(first)).toEqual([1, 1]);
  expect(doubled(first)).toBe(doubled(first));
  expect(computed).toBe(1);
  expect(doubled(equal)).not.toBe(doubled(first));
  expect(computed).toBe(2);
});
