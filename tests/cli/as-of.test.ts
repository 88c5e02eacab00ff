/** `inventory get --as-of`. In a file of its own: no other test moves the clock. */
import { type CommandLine, startCommandLine } from './command.ts';

let line: CommandLine;
beforeAll(async () => (line = await startCommandLine()));
afterAll(() => line.stop());

const words = (text: string) => text.split(' ');

const run = (text: string) => line.inventoryCommand(words(text));

test('an object is shown as it was, also a removed one by its name', async () => {
  await run('add node past-1 --type generic --address past-1.example --az a');
  const added = line.inventory.dependencies.clock().toISOString();
  await run('change node/past-1 az=b');
  const asOf = (time: string) => run(`get node past-1 -o json --as-of ${time}`);
  expect((await asOf(added)).json()).toMatchObject({ node_name: 'past-1', az: 'a', revision: 1 });
  expect((await asOf('0s')).json()).toMatchObject({ az: 'b', revision: 2 });
  const earlier = await asOf('2h');
  expect([earlier.code, earlier.err]).toEqual([5, expect.stringContaining('past-1 was added later')]);
  await run('remove node/past-1 -y');
  expect((await asOf(added)).json()).toMatchObject({ az: 'a' });
  const later = await asOf('0s');
  expect([later.code, later.err]).toEqual([5, expect.stringContaining('past-1 was removed at')]);
});

test('a name that existed, and a time, are required', async () => {
  expect((await run('get nodes --as-of 2h')).code).toBe(64);
  expect((await run('get node never-there --as-of 2h')).code).toBe(5);
  await run('add node past-2 --type generic --address past-2.example');
  expect((await run('get node past-2 --as-of yesterday')).code).toBe(64);
});
