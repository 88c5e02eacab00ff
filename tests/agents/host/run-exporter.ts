import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import type { ExporterProcess, SayStatus } from '../../support/pmm-agent.ts';

/** As pmm-agent: a program runs when it has not ended after so long. */
const RUNS_AFTER_MS = 1000;
const ATTEMPTS = 3;
const MAX_BACK_OFF_MS = 30_000;
const MIN_BACK_OFF_MS = 1000;

/** The version that a program states of itself, in the form that pmm-agent reads. */
function versionOf(program: string): string | undefined {
  try {
    const printed = execFileSync(program, ['--version'], { env: {}, encoding: 'utf8', stdio: 'pipe', timeout: 5000 });
    return /_exporter, version ([!-~]+)/.exec(printed)?.[1];
  } catch {
    return undefined;
  }
}

const isProgram = (path: string) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

interface RunContext {
  say: SayStatus;
  giveUp: () => void;
  print: (line: string) => void;
}

/**
 * Runs an exporter as a recent pmm-agent: with the arguments and the variables of the server and nothing else, three times at
 * first, and again after a pause if it ends later. The model keeps the port.
 *
 * @returns what stops it.
 */
export function runExporter(program: string, { args, env }: ExporterProcess, { say, giveUp, print }: RunContext) {
  const version = isProgram(program) ? versionOf(program) : undefined;
  const variables = Object.fromEntries(env.map((variable) => variable.split(/=(.*)/s).slice(0, 2)));
  let child: ChildProcess | undefined;
  let isStopped = false;
  let attempts = 0;
  let backOff = MIN_BACK_OFF_MS;
  const start = () => {
    if (isStopped) return;
    say('starting', version);
    let hasRun = false;
    const fail = (why: string) => {
      clearTimeout(timer);
      if (isStopped) return;
      print(`${program}: ${why}`);
      if (hasRun) {
        say('waiting', version);
        setTimeout(start, backOff);
        backOff = Math.min(2 * backOff, MAX_BACK_OFF_MS);
        return;
      }
      say('failed', version);
      say('done', version);
      attempts += 1;
      if (attempts < ATTEMPTS) start();
      else giveUp();
    };
    const timer = setTimeout(() => {
      hasRun = true;
      attempts = 0;
      say('running', version);
    }, RUNS_AFTER_MS);
    if (!isProgram(program)) {
      fail('no such file or directory');
      return;
    }
    // The exporter ends with the agent, however that ends.
    child = spawn('/usr/bin/setpriv', ['--pdeathsig', 'KILL', '--', program, ...args], {
      ...{ cwd: '/', env: variables, stdio: ['ignore', 'inherit', 'inherit'] },
    });
    child.once('exit', (code, signal) => fail(`exited: ${code ?? signal}`));
  };
  start();
  return () => {
    isStopped = true;
    child?.kill();
  };
}
