import { commandOf, matchingCommands } from './command.ts';

const commands = ['Add node', 'Go to Nodes', 'Go to API keys'].map((text) => ({ text, href: `#/${text}` }));
const textsFor = (text: string) => matchingCommands(commands, text).map((command) => command.text);

test('each typed word begins a word of a command, in any order and letter case', () => {
  expect(textsFor('')).toEqual(['Add node', 'Go to Nodes', 'Go to API keys']);
  expect(textsFor('NODE')).toEqual(['Add node', 'Go to Nodes']);
  expect(textsFor(' nod  ad')).toEqual(['Add node']);
  expect(textsFor('keys api')).toEqual(['Go to API keys']);
  expect(textsFor('ode')).toEqual([]);
  expect(textsFor('node 7')).toEqual([]);
});

test('only the whole text of a command is a command', () => {
  expect(commandOf(commands, ' add  NODE ')?.text).toBe('Add node');
  expect(commandOf(commands, 'add')).toBeUndefined();
  expect(commandOf(commands, '')).toBeUndefined();
});
