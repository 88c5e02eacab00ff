import { eventually } from '../end-to-end/processes.ts';
import { start } from '../deploy/processes.ts';

/** What a person types when a program asks: a prompt, and the answer to it, in the order of the questions. */
export type Answers = readonly (readonly [prompt: RegExp, answer: string])[];

const TERMINAL = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';

/**
 * Runs a script of bash in a terminal of its own, so that programs ask for passwords there.
 *
 * @param inside the command that runs a command elsewhere.
 * @returns what it printed.
 * @throws Error with what it printed when it fails, asks for less than the answers, or takes longer than the limit.
 */
export async function typeScript(
  file: string,
  options: { cwd: string; env: NodeJS.ProcessEnv; answers: Answers; limitMilliseconds: number },
  inside: (command: readonly string[]) => readonly string[] = (command) => command,
): Promise<string> {
  const { cwd, env, answers, limitMilliseconds } = options;
  const terminal = ['python3', '-c', TERMINAL, 'bash', file];
  const group = start(inside(terminal), { cwd, env, input: true });
  let ended: number | string | undefined;
  void group.ended.then((how) => (ended = how));
  const open = [...answers];
  let read = 0;
  const answer = () => {
    const [prompt, text] = open[0] ?? [];
    const asked = prompt?.exec(group.said().slice(read));
    if (!asked) return;
    read += asked.index + asked[0].length;
    open.shift();
    group.input?.write(`${text}\n`);
  };
  const said = () => group.said().replaceAll('\r', '');
  try {
    await eventually(() => {
      answer();
      return ended !== undefined;
    }, limitMilliseconds);
  } catch {
    ended = `not within ${limitMilliseconds / 1000} s`;
  } finally {
    await group.stop(0);
  }
  if (ended !== 0) throw new Error(`${ended}\n${said()}`);
  if (open.length > 0) throw new Error(`It did not ask ${String(open[0]?.[0])}.\n${said()}`);
  return said();
}
