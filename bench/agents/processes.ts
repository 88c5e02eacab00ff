import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { killAtExit } from '../child-server.ts';
import {
  gatewayCounts,
  type GatewayQuestion,
  type GatewaySettings,
  simulatorCounts,
  type SimulatorQuestion,
  type SimulatorSettings,
} from './messages.ts';

/** The longest time in which agents connect or return. */
const MAX_WAIT_MS = 600_000;

interface BenchProcess<Settings, Question, Counts> {
  start: (settings: Settings) => Promise<unknown>;
  counts: (question?: Question) => Promise<Counts>;
  kill: (signal: NodeJS.Signals) => Promise<void>;
}

function startProcess<Settings extends object, Question extends object, Counts>(
  file: string,
  schema: z.ZodMiniType<Counts>,
): BenchProcess<Settings, Question, Counts> {
  const path = fileURLToPath(new URL(`./${file}`, import.meta.url));
  const child: ChildProcess = fork(path, { execArgv: ['--expose-gc'] });
  const forget = killAtExit(() => child.kill('SIGKILL'));
  const ask = async (message: object): Promise<unknown> => {
    const answer = once(child, 'message');
    child.send(message);
    return (await answer)[0];
  };
  return {
    start: ask,
    counts: async (question) => z.parse(schema, await ask(question ?? {})),
    kill: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
      forget();
    },
  };
}

export const startGateway = () =>
  startProcess<GatewaySettings, GatewayQuestion, z.output<typeof gatewayCounts>>('gateway.ts', gatewayCounts);

export const startSimulators = () =>
  startProcess<SimulatorSettings, SimulatorQuestion, z.output<typeof simulatorCounts>>(
    'simulators.ts',
    simulatorCounts,
  );

export type Gateway = ReturnType<typeof startGateway>;
export type Simulators = ReturnType<typeof startSimulators>;

/** Starts a gateway. @returns its port. */
export async function listen(gateway: Gateway, settings: GatewaySettings): Promise<number> {
  return z.parse(z.object({ port: z.int() }), await gateway.start(settings)).port;
}

/** Waits until both sides count all streams. @returns milliseconds. */
export async function allConnected(
  gateways: readonly Gateway[],
  simulators: Simulators,
  agents: number,
): Promise<number> {
  const start = performance.now();
  for (;;) {
    const [{ connected }, ...counts] = await Promise.all([
      simulators.counts(),
      ...gateways.map((gateway) => gateway.counts()),
    ]);
    const streams = counts.reduce((sum, gatewayCounts) => sum + gatewayCounts.streams, 0);
    const elapsed = performance.now() - start;
    if (connected === agents && streams === agents) return elapsed;
    if (elapsed > MAX_WAIT_MS) throw new Error(`${connected} agents and ${streams} streams of ${agents} after 10 min`);
    await pause(500);
  }
}
