import type { Clock } from '../../clients/cli/src/core/clock.ts';
import type { CommandCall } from '../../clients/cli/src/command/command.ts';
import { Options } from '../../clients/cli/src/core/options.ts';
import { Output } from '../../clients/cli/src/output/output.ts';
import type { World } from '../../clients/cli/src/core/world.ts';
import { createClient } from '../../clients/typescript/src/client.ts';

export interface SentRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: any;
}

/** The JSON of a reply, or a reply; an error is that of the network. */
export type Answer = (request: SentRequest) => unknown;

export interface CommandOptions {
  args?: readonly string[];
  /** By their name in camel case, as commander gives them. */
  options?: Readonly<Record<string, unknown>>;
  world?: Partial<World>;
  answer?: Answer;
}

/** The arguments of an action, with what the action did to them. */
export interface RecordedCall extends CommandCall {
  out: () => string;
  err: () => string;
  sent: SentRequest[];
  /** The pauses of the command, in milliseconds. They take no time. */
  pauses: number[];
}

const silent = new AbortController().signal;

/** The parts of a process, without one. A question is an error. */
export const quietWorld = (more: Partial<World> = {}): World => ({
  env: {},
  out: () => undefined,
  err: () => undefined,
  readInput: () => Promise.resolve(''),
  ask: undefined,
  signal: silent,
  leaving: silent,
  clock: pausingClock(),
  ...more,
});

/** A clock that only pauses move. */
export function pausingClock(): Clock & { pauses: number[] } {
  let time = 0;
  const pauses: number[] = [];
  let later: { at: number; act: () => void }[] = [];
  return {
    pauses,
    after: (milliseconds, act) => {
      const entry = { at: time + milliseconds, act };
      later.push(entry);
      return () => {
        later = later.filter((candidate) => candidate !== entry);
      };
    },
    now: () => time,
    elapsed: () => time,
    pause: async (milliseconds, signal) => {
      await Promise.resolve();
      signal?.throwIfAborted();
      pauses.push(milliseconds);
      time += milliseconds;
      for (const { act } of later.filter(({ at }) => at <= time)) act();
      signal?.throwIfAborted();
    },
  };
}

/** Lines of JSON as a list. */
const bodyOf = ({ 'Content-Type': type }: SentRequest['headers'], text: string): unknown =>
  type === 'application/x-ndjson'
    ? text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
    : JSON.parse(text);

/** The arguments of an action whose server is a function and whose clock is moved by its pauses. */
export function commandCall({
  args = [],
  options = {},
  world = {},
  answer = () => ({}),
}: CommandOptions): RecordedCall {
  let [out, err] = ['', ''];
  const sent: SentRequest[] = [];
  const clock = pausingClock();
  const recorded = quietWorld({
    out: (text) => (out += text),
    err: (text) => (err += text),
    clock,
    ...world,
  });
  const given = new Options(options);
  const client = createClient({
    url: 'http://inventory',
    attempts: 1,
    fetch: async (url, { method, headers, body, signal }) => {
      const request = {
        method,
        path: url.slice('http://inventory'.length),
        headers,
        body: body && bodyOf(headers, body),
      };
      sent.push(request);
      const reply = await answer(request);
      signal?.throwIfAborted();
      return reply instanceof Response ? reply : Response.json(reply);
    },
  });
  return {
    ...{ name: 'test', args, options: given, world: recorded, commands: [], output: new Output(given, recorded) },
    settings: () => Promise.reject(new Error('no settings')),
    connect: () => Promise.resolve(client),
    ...{ out: () => out, err: () => err, sent, pauses: clock.pauses },
  };
}

/** An error as the server sends it. */
export const refusal = (http: number, more: object = {}) =>
  Response.json({ status: 'ERROR', code: 2, message: 'No.', details: [], ...more }, { status: http });
