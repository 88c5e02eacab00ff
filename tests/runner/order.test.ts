import { inOrder } from './order.ts';

const files = Array.from({ length: 50 }, (_, index) => `shared/${index}.test.ts`);
const order = (seed: string, some = files) => inOrder(some, (file) => file, seed);

test('a seed repeats its order, and another seed has another', () => {
  expect(order('1', files.toReversed())).toEqual(order('1'));
  expect(order('2')).not.toEqual(order('1'));
  expect(order('1').toSorted()).toEqual(files.toSorted());
});

test('omitted files do not change the order of the others', () => {
  const some = files.slice(0, 20);
  expect(order('1', some)).toEqual(order('1').filter((file) => some.includes(file)));
});
