import { commandOf, matchingCommands } from './command.ts';

const commands = ['Add node', 'Go to Nodes', 'Go to API keys'].map((text) => ({ text, href: `#/${text}` }));
const found = (text: string) => matchingCommands(commands, text).map((command) => command.text);

test('each typed word begins a word of a command, in any order and letter case', () => {
  expect(found('')).toEqual(['Add node', 'Go to Nodes', 'Go to API keys']);
  expect(found('NODE')).toEqual(['Add node', 'Go to Nodes']);
  expect(found(' nod  ad')).toEqual(['Add node']);
  expect(found('keys api')).toEqual(['Go to API keys']);
  expect(found('ode')).toEqual([]);
  expect(found('node 7')).toEqual([]);
});

test('only the whole text of a command is a command', () => {
  expect(commandOf(commands, ' add  NODE ')?.text).toBe('Add node');
  expect(commandOf(commands, 'add')).toBeUndefined();
  expect(commandOf(commands, '')).toBeUndefined();
});
