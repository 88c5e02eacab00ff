import { commandGroups, commands, writing } from './table.ts';

const named = (name: string) => commands.find((command) => command.name === name);

test('each command has one name, a summary, and examples of itself', () => {
  const names = commands.map(({ name }) => name);
  expect([new Set(names).size, names.filter((name) => !/^[a-z_ -]+$/.test(name))]).toEqual([names.length, []]);
  expect(commands.filter(({ summary }) => summary === '')).toEqual([]);
  for (const { name, examples = [] } of commands)
    for (const example of examples) expect(example).toContain(`inventory ${name}`);
});

test('arguments are separate from the name, and a command without them has none', () => {
  expect(named('get')?.args).toBe('<kind> [name...]');
  expect(named('context use')?.args).toBe('<name>');
  expect(named('whoami')).not.toHaveProperty('args');
});

test('only the command for completion is hidden', () => {
  expect(commands.flatMap(({ name, isHidden }) => (isHidden === true ? [name] : []))).toEqual(['__complete']);
});

test('additions and declarations state their effect on an existing name, and agents have no addition by name', () => {
  const texts = ['node', 'service', 'agent']
    .flatMap((kind) => [`add ${kind}`, `set ${kind}`])
    .map((name) => {
      const { args, summary } = named(name)!;
      return `${name} ${args ?? ''}: ${summary}`;
    });
  const rule = 'it is added, or changed to be as given, without all other values';
  expect(texts).toEqual([
    'add node <name>: Add a node: a name that is taken is refused',
    `set node <name>: Declare a node: ${rule}`,
    'add service <name>: Add a service: a name that is taken is refused',
    `set service <name>: Declare a service: ${rule}`,
    'add agent <type>: Add an agent',
    `set agent <type>: Declare an agent: ${rule}`,
  ]);
});

test('each command has an action, and no two have the same', async () => {
  const actions = await Promise.all(commands.map(({ load }) => load()));
  const runs = actions.map(({ run }) => run);
  expect(runs.filter((run) => typeof run !== 'function')).toEqual([]);
  expect(new Set(actions).size).toBe(commands.length);
});

test('the help has six groups; each command that writes is one of them, or begins several', () => {
  expect(commandGroups.map(({ title, commands: { length } }) => [title, length > 0])).toEqual([
    ...['Begin', 'Read', 'Write one object', 'Write many objects', 'Hosts, clusters, operation', 'Keys and users'].map(
      (title) => [title, true],
    ),
  ]);
  for (const [word] of writing)
    expect(commands.some(({ name }) => name === word || name.startsWith(`${word} `))).toBe(true);
});
