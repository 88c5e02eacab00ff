import { commandCall } from '../../../../tests/support/command-call.ts';
import { confirm } from './confirm.ts';

const answered = (answer: string) => commandCall({ world: { ask: () => Promise.resolve(answer) } });

test.each(['y', 'Y', 'yes', ' YES\n'])('"%s" is a yes', async (answer) => {
  await expect(confirm('Remove?', answered(answer))).resolves.toBeUndefined();
});

test.each(['', 'n', 'yesterday', 'oh yes'])('"%s" declines', async (answer) => {
  const declined = { message: 'Nothing was changed.', exit: 'failed' };
  await expect(confirm('Remove?', answered(answer))).rejects.toMatchObject(declined);
});

test('with --yes nobody is asked, and without a terminal it is required', async () => {
  await confirm('Remove?', commandCall({ options: { yes: true } }));
  await expect(confirm('Remove?', commandCall({}))).rejects.toMatchObject({
    message: 'There is no terminal: use --yes.',
    exit: 'usage',
  });
});
