import { commandCall } from '../../../../tests/support/command-call.ts';
import { run } from './completion.ts';

test.each([
  ['bash', 'complete -o default -F _inventory inventory minv\n'],
  ['zsh', 'compdef _inventory inventory minv\n'],
  ['fish', "complete -c inventory -c minv -a '(inventory __complete -- (commandline -cp) 2>/dev/null)'\n"],
])('prints the script of %s, which asks the program', async (shell, end) => {
  const call = commandCall({ args: [shell] });
  await run(call);
  expect(call.out().slice(-end.length)).toBe(end);
  expect(call.out()).toContain('inventory __complete');
});

test('another shell is refused with those that exist', () => {
  const message = 'No such shell: ksh. There are: bash, zsh, fish.';
  expect(() => run(commandCall({ args: ['ksh'] }))).toThrow(expect.objectContaining({ message, exit: 'usage' }));
});
