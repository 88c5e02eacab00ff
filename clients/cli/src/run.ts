import { Command, CommanderError, Option } from 'commander';
import type { CommandSpec, OptionSpec } from './command/command.ts';
import { InventoryError } from '../../typescript/src/error.ts';
import { VERSION } from '../../typescript/src/generated/version.ts';
import { CommandError, exitOf, exits, FileError, jsonOf, lineOf } from './core/exit-codes.ts';
import { globalOptions } from './command/global-options.ts';
import { Options } from './core/options.ts';
import { Output } from './output/output.ts';
import { commandGroups, commands, writing } from './table.ts';
import { isList } from './core/values.ts';
import type { World } from './core/world.ts';

/** Codes of commander for what is no error. */
const helpCodes = ['commander.help', 'commander.helpDisplayed', 'commander.version'];

function optionOf({ flags, description, words, many, isHidden }: OptionSpec): Option {
  const option = new Option(flags, description).hideHelp(isHidden === true);
  if (words !== undefined) option.choices(words);
  // Several values; each needs the option again, so that arguments can follow.
  if (many) option.argParser((value, before: unknown) => [...(isList(before) ? before : []), value]);
  return option;
}

/** Whether the arguments can be of this command. Only such ones are loaded. */
function isNamed({ name }: CommandSpec, argv: readonly string[]): boolean {
  return name.split(' ').every((word) => argv.includes(word));
}

/** The heading of the options of the program. */
const ALL_OPTIONS = 'Options of every command:';

/** The end of the help of a command. */
const ALSO = '\nOptions of every command (-o, --context): inventory --help';

/** The end of the help of the program. */
const HELP_AFTER = [
  '\nOne object, a field, or many:',
  ...writing.map(([command, what]) => `  ${command.padEnd(9)}${what}`),
  '\nOptions of a command: inventory COMMAND --help',
  'Guide: /docs/cli.html of a server',
].join('\n');

/** Columns of help, in every terminal: the package contains the texts. */
const HELP_WIDTH = 80;

/** The value, or the reason of the signal if that is first. */
function untilAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      const reason: unknown = signal.reason;
      reject(reason instanceof Error ? reason : new CommandError('Interrupted.', 'interrupted'));
    };
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** The program with all commands, of which those in the arguments are loaded. */
async function programOf(argv: readonly string[], world: World, act: (exit: number) => void): Promise<Command> {
  const program = new Command('inventory')
    .exitOverride()
    .configureOutput({
      writeOut: world.out,
      writeErr: world.err,
      outputError: () => undefined,
      getOutHelpWidth: () => HELP_WIDTH,
      getErrHelpWidth: () => HELP_WIDTH,
    })
    .addHelpOption(new Option('-h, --help', 'show help').helpGroup(ALL_OPTIONS))
    .description('Command line of the monitoring inventory.')
    .addHelpCommand(new Command('help [command]').description('Show help').helpGroup(`${commandGroups[0].title}:`))
    .addHelpText('after', HELP_AFTER);
  for (const option of globalOptions) program.addOption(optionOf(option).helpGroup(ALL_OPTIONS));
  const groups = new Map<string, Command>();
  for (const [heading, spec] of commandGroups.flatMap(({ title, commands: all }) =>
    all.map((groupCommand) => [`${title}:`, groupCommand] as const),
  )) {
    const [group = '', name = group] = spec.name.split(' ');
    const isNested = name !== group;
    const parent = isNested ? (groups.get(group) ?? program.command(group).helpGroup(heading)) : program;
    if (isNested && !groups.has(group))
      groups.set(
        group,
        parent
          .description(`${group} ${namesOf(group)}`)
          .helpCommand(false)
          .addHelpText('after', ALSO),
      );
    const command = parent.command(spec.args === undefined ? name : `${name} ${spec.args}`, {
      hidden: spec.isHidden === true,
    });
    command.summary(spec.summary).description(`${spec.summary}.`);
    if (!isNested) command.helpGroup(heading);
    if (!isNamed(spec, argv)) continue;
    const action = await spec.load();
    if (action.note !== undefined) command.addHelpText('after', `\n${action.note}`);
    if (spec.examples !== undefined)
      command.addHelpText('after', `\nExamples:\n${spec.examples.map((example) => `  ${example}`).join('\n')}`);
    command.addHelpText('after', ALSO);
    for (const option of action.options ?? []) command.addOption(optionOf(option));
    command.action(async () => {
      const values: Record<string, unknown> = command.optsWithGlobals();
      const options = new Options(values);
      const ofRequests = action.isWaiting === true ? new Options({ ...values, timeout: undefined }) : options;
      const output = new Output(options, world);
      if (action.formats !== undefined) output.check(spec.name, action.formats);
      // Not at the start: help needs no TLS.
      const settings = async () => (await import('./connection/settings.ts')).settingsOf(ofRequests, world);
      const connect = async () => (await import('./connection/settings.ts')).clientOf(await settings(), options, world);
      try {
        const call = { name: spec.name, args: command.args, options, world, commands, output, settings, connect };
        const exit = await (action.isOrderly === true
          ? action.run(call)
          : untilAborted(action.run(call), world.signal));
        act(exits[exit ?? 'done'].code);
      } catch (error) {
        if (!(error instanceof InventoryError) || error.http !== 401) throw error;
        const current = await settings().catch(() => undefined);
        if (current === undefined || current.key !== undefined) throw error;
        throw new CommandError(`There is no key: ${current.keySource}`, 'denied');
      }
    });
  }
  return program;
}

const namesOf = (group: string) =>
  commands
    .map(({ name }) => name.split(' '))
    .flatMap(([first, second]) => (first === group && second !== undefined ? [second] : []))
    .join('|');

const isJson = (argv: readonly string[], { env }: World) =>
  [...argv, env['INVENTORY_OUTPUT'] ?? ''].some((argument) => /^(-o|--output=)?json$/.test(argument));

/** The error about wrong words, with the commands that the person may mean. */
async function errorOf({ code, message }: CommanderError, argv: readonly string[]): Promise<CommandError> {
  const [, word] = /^error: unknown command '(.*?)'/.exec(message) ?? [];
  if (code !== 'commander.unknownCommand' || word === undefined) return new CommandError(message);
  const { meantBy } = await import('./command/other-words.ts');
  const group = argv.slice(0, argv.indexOf(word)).findLast((argument) => namesOf(argument) !== '');
  return new CommandError(meantBy(word, group, commands) ?? message);
}

/** Runs a command. @returns its exit code. */
export async function run(argv: readonly string[], world: World): Promise<number> {
  let code: number = exits.done.code;
  // An option of the whole program would take the place of `add service --version 8.4`.
  if (argv.length === 1 && argv[0] === '--version') {
    world.out(`inventory ${VERSION}\n`);
    return code;
  }
  try {
    const program = await programOf(argv, world, (exit) => (code = exit));
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (thrown) {
    if (thrown instanceof CommanderError) {
      if (helpCodes.includes(thrown.code)) return argv.length === 0 ? exits.usage.code : exits.done.code;
      world.err(`${lineOf(await errorOf(thrown, argv))}\n`);
      return exits.usage.code;
    }
    const error: unknown = world.signal.aborted ? world.signal.reason : thrown;
    const text = error instanceof FileError ? error.message : `Error: ${lineOf(error)}`;
    world.err(`${isJson(argv, world) ? jsonOf(error) : text}\n`);
    return exits[exitOf(error)].code;
  }
}
