import type { CommandSpec } from './command.ts';

/** Words of other programs, and the last words of the commands that do the same here. */
export const meanings = {
  delete: ['remove'],
  del: ['remove'],
  rm: ['remove'],
  revoke: ['remove'],
  list: ['get'],
  ls: ['list', 'get'],
  show: ['get', 'describe'],
  find: ['get'],
  search: ['get'],
  diff: ['plan'],
  undo: ['restore', 'removed', 'history'],
  revert: ['restore', 'removed', 'history'],
  undelete: ['restore', 'removed'],
  create: ['add'],
  new: ['add'],
  register: ['add', 'set'],
  update: ['change', 'set'],
  patch: ['change'],
  modify: ['change'],
  label: ['change'],
  declare: ['set'],
  upsert: ['set'],
  validate: ['lint'],
  check: ['lint', 'doctor'],
  sync: ['apply', 'sync-kubernetes'],
  dump: ['export'],
  backup: ['export'],
  load: ['import'],
  status: ['summary', 'doctor'],
  ping: ['doctor'],
  events: ['watch', 'history'],
  follow: ['watch'],
  log: ['history', 'audit'],
  logs: ['history', 'audit'],
  signin: ['login'],
  auth: ['login', 'whoami'],
  config: ['context set'],
  enroll: ['enrol'],
} as const;

const isKnown = (word: string): word is keyof typeof meanings => Object.hasOwn(meanings, word);

/**
 * The commands that a person may mean by a word that is no command, in a group of commands if one precedes.
 *
 * @returns a sentence; undefined if the word says nothing.
 */
export function meantBy(word: string, group: string | undefined, commands: readonly CommandSpec[]): string | undefined {
  const matchingCommands = (isKnown(word) ? meanings[word] : []).flatMap((meaning) => {
    const name = group === undefined ? meaning : `${group} ${meaning}`;
    // A command, or a group of them: `add`.
    const [first] = commands.filter((command) => command.name === name || command.name.startsWith(`${name} `));
    return first === undefined
      ? []
      : [first.name === name ? `inventory ${name} (${first.summary})` : `inventory ${name} --help`];
  });
  return matchingCommands.length === 0 ? undefined : `No such command: ${word}. See ${matchingCommands.join(', ')}.`;
}
