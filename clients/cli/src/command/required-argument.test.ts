import { requiredArgument } from './required-argument.ts';

test('a required argument is the first one; its absence is a fault of the table of commands', () => {
  expect(requiredArgument({ args: ['a', 'b'] })).toBe('a');
  expect(() => requiredArgument({ args: [] })).toThrow('without its argument');
});
