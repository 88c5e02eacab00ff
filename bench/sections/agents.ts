import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { ensureCertificate } from '../../local/server/certificate.ts';
import { newDataDir, removeDataDir } from '../../tests/support/server.ts';
import { gatewayCounts, type GatewaySettings, simulatorCounts, type SimulatorSettings } from '../agents/messages.ts';
import { killAtExit } from '../child-server.ts';
import { table } from '../report.ts';
import type { Size } from '../size.ts';
import type { Targets } from '../targets.ts';

/** Agents that start in a second, and how long a gateway is away after its end. */
const STARTS_PER_SECOND = 300;
const AWAY_MS = 3000;

/** Pings of the idle streams: shorter turns than in production, so that some can be counted. */
const PING_MS = 10_000;

const MB = 1024 * 1024;

/** The longest time in which agents connect or return. */
const MAX_WAIT_MS = 600_000;

interface BenchProcess<Settings, Counts> {
  start: (settings: Settings) => Promise<unknown>;
  counts: () => Promise<Counts>;
  kill: (signal: NodeJS.Signals) => Promise<void>;
}

function startProcess<Settings extends object, Counts>(
  file: string,
  schema: z.ZodMiniType<Counts>,
): BenchProcess<Settings, Counts> {
  const path = fileURLToPath(new URL(`../agents/${file}`, import.meta.url));
  const child: ChildProcess = fork(path, { execArgv: ['--expose-gc'] });
  const forget = killAtExit(() => child.kill('SIGKILL'));
  const ask = async (message: object): Promise<unknown> => {
    const answer = once(child, 'message');
    child.send(message);
    return (await answer)[0];
  };
  return {
    start: ask,
    counts: async () => z.parse(schema, await ask({})),
    kill: async (signal) => {
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
      forget();
    },
  };
}

const startGateway = () => startProcess<GatewaySettings, z.output<typeof gatewayCounts>>('gateway.ts', gatewayCounts);

type Gateway = ReturnType<typeof startGateway>;
type Simulators = BenchProcess<SimulatorSettings, z.output<typeof simulatorCounts>>;

/** Waits until both sides count all streams. @returns milliseconds. */
async function allConnected(gateway: Gateway, simulators: Simulators, agents: number): Promise<number> {
  const start = performance.now();
  for (;;) {
    const [{ connected }, { streams }] = await Promise.all([simulators.counts(), gateway.counts()]);
    const elapsed = performance.now() - start;
    if (connected === agents && streams === agents) return elapsed;
    if (elapsed > MAX_WAIT_MS) throw new Error(`${connected} agents and ${streams} streams of ${agents} after 10 min`);
    await pause(500);
  }
}

/** The gateway is killed without a word, and all agents return to a new one. */
async function measureReturn(gateway: Gateway, simulators: Simulators, settings: GatewaySettings, agents: number) {
  const before = await simulators.counts();
  await gateway.kill('SIGKILL');
  await pause(AWAY_MS);
  const next = startGateway();
  await next.start(settings);
  const back = await allConnected(next, simulators, agents);
  const [counts, after] = [await next.counts(), await simulators.counts()];
  return {
    next,
    back: back / 1000,
    attempts: (after.attempts - before.attempts) / agents,
    admissions: counts.admissions / agents,
    most: counts.most,
    unnoticed: before.connected - (after.losses - before.losses),
  };
}

async function measure(agents: number, isTls: boolean, folder: string, idleSeconds: number) {
  const certificate = isTls ? await ensureCertificate(folder) : undefined;
  const settings = { port: 0, max: 12_000, pingMs: PING_MS, certificate };
  let gateway = startGateway();
  const simulators: Simulators = startProcess('simulators.ts', simulatorCounts);
  try {
    const { port } = z.parse(z.object({ port: z.int() }), await gateway.start(settings));
    const empty = await gateway.counts();
    await simulators.start({ port, agents, perSecond: STARTS_PER_SECOND, isTls });
    await allConnected(gateway, simulators, agents);
    const connected = await gateway.counts();
    const before = await simulators.counts();
    await pause(idleSeconds * 1000);
    const [idle, after] = [await gateway.counts(), await simulators.counts()];
    const { next, ...returned } = await measureReturn(gateway, simulators, { ...settings, port }, agents);
    gateway = next;
    return {
      ...returned,
      memory: idle.rss / MB,
      perStream: (idle.rss - empty.rss) / agents / 1024,
      connectMs: (connected.cpuMs - empty.cpuMs) / agents,
      pingMs: (idle.cpuMs - connected.cpuMs) / Math.max(1, after.pings - before.pings),
      idleLosses: after.losses - before.losses,
      processorShare: (idle.cpuMs - connected.cpuMs) / (idleSeconds * 1000),
    };
  } finally {
    await simulators.kill('SIGKILL');
    await gateway.kill('SIGKILL');
  }
}

type Result = Awaited<ReturnType<typeof measure>>;

/** The targets of the largest fleet of one task, and of a return of all its agents. */
function addTargets(targets: Targets, name: string, result: Result): void {
  const add = (value: string, amount: number, unit: string, atMost?: number) =>
    targets.add({
      name: `${name}: ${value}`,
      value: amount,
      unit,
      limit: atMost === undefined ? undefined : { atMost },
    });
  add('memory', result.memory, ' MB', 700);
  add('memory of a stream', result.perStream, ' kB');
  add('processor time of a ping', result.pingMs, ' ms');
  add('processor time of a connect', result.connectMs, ' ms');
  add('all back after the gateway was killed', result.back, ' s', 120);
  add('admissions of an agent that returned', result.admissions, '', 1.2);
  add('requests in the busiest second of the return', result.most, '', 150);
  add('streams that were lost unnoticed', result.unnoticed, '', 0);
  add('streams that were lost while idle', result.idleLosses, '', 0);
}

/** Streams of agents at the gateway: memory and processor time, and the return of all agents at once. */
export async function agentsSection({ agents, tlsAgents, idleSeconds }: Size, targets: Targets): Promise<string> {
  const folder = await newDataDir();
  try {
    const plain = await measure(agents, false, folder, idleSeconds);
    const tls = await measure(tlsAgents, true, folder, idleSeconds);
    addTargets(targets, `${agents.toLocaleString('en')} agents, TLS elsewhere`, plain);
    addTargets(targets, `${tlsAgents.toLocaleString('en')} agents, TLS in Node`, tls);
    const row = (name: string, count: number, of: Result) => [
      ...[name, count, of.memory, of.perStream, of.connectMs, of.pingMs, of.processorShare, of.idleLosses],
      ...[of.back, of.attempts, of.admissions, of.most, of.unnoticed],
    ];
    return table(
      [
        'TLS',
        'agents',
        'MB',
        'kB a stream',
        'connect, ms',
        'ping, ms',
        'processors',
        'lost while idle',
        'all back, s',
        'attempts',
        'admissions',
        'requests/s',
        'unnoticed',
      ],
      [row('elsewhere', agents, plain), row('in Node', tlsAgents, tls)],
    );
  } finally {
    await removeDataDir(folder);
  }
}
