import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Group, run, start } from '../deploy/processes.ts';
import { eventually } from '../end-to-end/processes.ts';
import { newDataDir } from '../support/data-dir.ts';
import { type Machine, type MachineOptions, startMachine } from './machine.ts';
import { commandsIn, root, scriptOf, type Step, stepsOf } from './steps.ts';
import { type Answers, typeScript } from './terminal.ts';

/** Many times what a step takes on a busy machine. */
const STEP_LIMIT_MS = 300_000;
const STOP_GRACE_MS = 20_000;

/** Prometheus asks for targets once a minute, and scrapes each of them once a minute. */
const SAMPLE_LIMIT_MS = 240_000;
const SAMPLE_INTERVAL_MS = 1000;

/** A sample of Prometheus: its labels, the time in seconds and the value. */
export interface Sample {
  metric: Record<string, string>;
  value: [time: number, value: string];
}

/** A way through the documents, followed by somebody who has an empty folder, the checkout, and nothing of the service yet. */
export interface Way {
  /** The working folder. */
  folder: string;
  /** A folder in the PATH of its commands. */
  programs: string;
  machine: Machine;
  /**
   * Types the commands of a step.
   *
   * @param options `variables`: those that the document says to replace.
   * @returns what they print.
   */
  type: (
    step: string,
    options?: { answers?: Answers; inCheckout?: boolean; variables?: Readonly<Record<string, string>> },
  ) => Promise<string>;
  /** The code of a step, for somebody who adds it to a file with an editor. */
  copy: (step: string) => string;
  /** Writes the code of a step into a file, a path on the machine. */
  put: (step: string, path: string) => Promise<void>;
  /** Starts the program of a step in a terminal of its own, and waits until its output has a text. @returns the output. */
  start: (step: string, isReady: RegExp, options?: { inCheckout?: boolean }) => Promise<string>;
  /** Starts a program that the documents presuppose. */
  startProgram: (command: readonly string[], isReady: RegExp, env?: Record<string, string>) => Promise<string>;
  /**
   * The samples of an expression in the Prometheus at this port (default: 9090), as soon as there are `count` of them.
   *
   * @throws Error with the targets and the output of the programs after some minutes.
   */
  samples: (expression: string, count: number, port?: number) => Promise<Sample[]>;
  /** Runs a command on the machine to its end. @returns what it prints. */
  run: (command: readonly string[]) => Promise<string>;
  /** States what the way has taken. @throws Error if a step in the documents was not used. */
  finish: () => void;
  stop: () => Promise<void>;
}

/** @param presupposes a way whose steps can be used, too: its page comes first. */
export async function openWay(
  name: string,
  { presupposes, ...machineOptions }: MachineOptions & { presupposes?: string },
): Promise<Way> {
  const ownSteps = await stepsOf(name);
  const unused = new Set(ownSteps.keys());
  const steps = presupposes === undefined ? ownSteps : new Map([...(await stepsOf(presupposes)), ...ownSteps]);
  const home = await newDataDir();
  const folder = join(home, 'work');
  await mkdir(folder);
  const programs = join(home, 'npm/bin');
  await mkdir(programs, { recursive: true });
  // Commands stay as they are. They fail with a reply that is an error, and are repeated while a busy server refuses them.
  await writeFile(join(home, '.curlrc'), 'silent\nshow-error\nfail-with-body\nretry = 10\n');
  const env = {
    PATH: `${programs}:${process.env['PATH']}`,
    HOME: home,
    LANG: 'C.UTF-8',
    // The folder of the data is `.data` of the checkout, which may be in use.
    DATA_DIR: join(folder, '.data'),
    npm_config_prefix: join(home, 'npm'),
    npm_config_update_notifier: 'false',
  };
  const machine: Machine = await startMachine(home, machineOptions);
  const groups: Group[] = [];
  const began = performance.now();
  let typed = 0;
  let firstSample: number | undefined;
  const use = (step: string): Step => {
    const commandBlock = steps.get(step);
    if (commandBlock === undefined)
      throw new Error(`No block of the documents has the comment "way ${name}: ${step}".`);
    unused.delete(step);
    typed += commandsIn(commandBlock);
    return commandBlock;
  };
  const fileOf = async (step: Step): Promise<string> => {
    const file = join(home, 'steps', step.name, step.document);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, scriptOf(step));
    return file;
  };
  const at = ({ document, line }: Step, error: unknown) =>
    new Error(
      `${document}:${line}: these commands do not run: ${error instanceof Error ? error.message : String(error)}`,
    );
  const startIn = async (command: readonly string[], isReady: RegExp, options: Parameters<typeof start>[1]) => {
    const group = start(machine.inside(command, options.cwd), options);
    groups.push(group);
    let ended: number | string | undefined;
    void group.ended.then((how) => (ended = how));
    await eventually(() => ended !== undefined || isReady.test(group.said()), STEP_LIMIT_MS).catch(() => undefined);
    if (ended !== undefined || !isReady.test(group.said()))
      throw new Error(`${ended ?? `no ${String(isReady)} in`}\n${group.said().slice(-4000)}`);
    return group.said();
  };
  const runInside = (command: readonly string[]) =>
    run(machine.inside(command, folder), { cwd: folder, env, limitMilliseconds: STEP_LIMIT_MS });
  const prometheus = async (path: string, port: number) =>
    JSON.parse(await runInside(['curl', `http://localhost:${port}/api/v1/${path}`])).data;
  return {
    ...{ folder, programs, machine },
    type: async (step, { answers = [], inCheckout = false, variables = {} } = {}) => {
      const commandBlock = use(step);
      const cwd = inCheckout ? root : folder;
      const options = { cwd, env: { ...env, ...variables }, answers, limitMilliseconds: STEP_LIMIT_MS };
      return typeScript(await fileOf(commandBlock), options, (command) => machine.inside(command, options.cwd)).catch(
        (error: unknown) => {
          throw at(commandBlock, error);
        },
      );
    },
    copy: (step) => use(step).code,
    run: runInside,
    put: async (step, path) => {
      const source = join(home, 'put');
      await writeFile(source, use(step).code);
      await runInside(['cp', source, path]);
    },
    start: async (step, isReady, { inCheckout = false } = {}) => {
      const commandBlock = use(step);
      return startIn(['bash', await fileOf(commandBlock)], isReady, { cwd: inCheckout ? root : folder, env }).catch(
        (error: unknown) => {
          throw at(commandBlock, error);
        },
      );
    },
    startProgram: (command, isReady, more = {}) => startIn(command, isReady, { cwd: root, env: { ...env, ...more } }),
    samples: async (expression, count, port = 9090) => {
      let samples: Sample[] = [];
      const look = async () => {
        samples = (await prometheus(`query?${new URLSearchParams({ query: expression }).toString()}`, port)).result;
        if (samples.length > 0) firstSample ??= performance.now();
        return samples.length === count;
      };
      await eventually(look, SAMPLE_LIMIT_MS, SAMPLE_INTERVAL_MS).catch(async () => {
        const { activeTargets, droppedTargets } = await prometheus('targets', port);
        const said = groups.map((group) => group.said().slice(-2000)).join('\n');
        const targets = JSON.stringify({ activeTargets, droppedTargets }, undefined, 1).slice(0, 8000);
        throw new Error(`${samples.length} samples of ${expression} instead of ${count}\n${targets}\n${said}`);
      });
      return samples;
    },
    finish: () => {
      if (unused.size > 0) throw new Error(`Steps of the way ${name} that were not used: ${[...unused].join(', ')}`);
      const sample =
        firstSample === undefined ? '' : `, the first sample after ${Math.round((firstSample - began) / 1000)} s`;
      process.stderr.write(`way ${name}: ${typed} commands and files${sample}\n`);
    },
    stop: async () => {
      for (const group of groups.toReversed()) await group.stop(STOP_GRACE_MS);
      await machine.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Starts the server, and logs in as admin with the command line. */
export async function startAndLogIn(way: Way): Promise<void> {
  const printed = await way.start('server', /^Try .*\n/m, { inCheckout: true });
  const [, password = ''] = /^Admin user +admin, password (\S+)/m.exec(printed) ?? [];
  await way.type('command-line', { inCheckout: true });
  await way.type('login', {
    answers: [
      [/User: /, 'admin'],
      [/Password: /, password],
    ],
  });
}
