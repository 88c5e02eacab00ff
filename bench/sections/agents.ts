import { setTimeout as pause } from 'node:timers/promises';
import { ensureCertificate } from '../../local/server/certificate.ts';
import { newDataDir, removeDataDir } from '../../tests/support/data-dir.ts';
import type { GatewaySettings } from '../agents/messages.ts';
import {
  allConnected,
  type Gateway,
  listen,
  type Simulators,
  startGateway,
  startSimulators,
} from '../agents/processes.ts';
import { measureTwoGateways } from '../agents/two-gateways.ts';
import { table } from '../report.ts';
import type { Size } from '../size.ts';
import type { Targets } from '../targets.ts';

/** Agents that start in a second, and how long a gateway is away after its end. */
const STARTS_PER_SECOND = 300;
const AWAY_MS = 3000;

/** Pings of the idle streams: shorter turns than in production, so that some can be counted. */
const PING_MS = 10_000;

const MB = 1024 * 1024;

/** The gateway is killed without a word, and all agents return to a new one. */
async function measureReturn(gateway: Gateway, simulators: Simulators, settings: GatewaySettings, agents: number) {
  const before = await simulators.counts();
  await gateway.kill('SIGKILL');
  await pause(AWAY_MS);
  const next = startGateway();
  await next.start(settings);
  const back = await allConnected([next], simulators, agents);
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
  const simulators = startSimulators();
  try {
    const port = await listen(gateway, settings);
    const empty = await gateway.counts({ collects: true });
    await simulators.start({ ports: [port], agents, perSecond: STARTS_PER_SECOND, isTls });
    await allConnected([gateway], simulators, agents);
    const connected = await gateway.counts();
    const before = await simulators.counts();
    await pause(idleSeconds * 1000);
    const [idle, after] = [await gateway.counts({ collects: true }), await simulators.counts()];
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
type PairResult = Awaited<ReturnType<typeof measureTwoGateways>>;

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

/** The targets of two gateways, of which one is killed and the other replaced. */
function addPairTargets(targets: Targets, name: string, { killed, drained }: PairResult): void {
  const add = (value: string, amount: number, unit: string, atMost: number) =>
    targets.add({ name: `${name}: ${value}`, value: amount, unit, limit: { atMost } });
  add('all back after one of two was killed', killed.back, ' s', 60);
  add('admissions of an agent that returned to the other one', killed.admissions, '', 1.2);
  add('requests of the other one in the busiest second', killed.most, '', 150);
  add('streams of the killed one that were lost unnoticed', killed.unnoticed, '', 0);
  add('a deployment: time without a stream, 99 %', drained.gap, ' s', 5);
  add('a deployment: the most ends of streams of an agent', drained.mostLosses, '', 1);
  add('a deployment: requests of the new one in the busiest second', drained.most, '', 150);
}

const pairTable = ({ killed, drained }: PairResult) =>
  table(
    ['two gateways', 'all back, s', 'admissions', 'unnoticed', 'requests/s', 'without a stream (99 %), s', 'most ends'],
    [
      ['one is killed', killed.back, killed.admissions, killed.unnoticed, killed.most, '', ''],
      ['one is replaced', '', '', '', drained.most, drained.gap, drained.mostLosses],
    ],
  );

/** Streams of agents at the gateway: memory and processor time, and the return of all agents at once. */
export async function agentsSection(
  { agents, tlsAgents, idleSeconds, drainSeconds }: Size,
  targets: Targets,
): Promise<string> {
  const folder = await newDataDir();
  try {
    const plain = await measure(agents, false, folder, idleSeconds);
    const tls = await measure(tlsAgents, true, folder, idleSeconds);
    const pair = await measureTwoGateways({ agents, pingMs: PING_MS, drainMs: drainSeconds * 1000 });
    addTargets(targets, `${agents.toLocaleString('en')} agents, TLS elsewhere`, plain);
    addTargets(targets, `${tlsAgents.toLocaleString('en')} agents, TLS in Node`, tls);
    addPairTargets(targets, `${agents.toLocaleString('en')} agents at two gateways`, pair);
    const row = (name: string, count: number, of: Result) => [
      ...[name, count, of.memory, of.perStream, of.connectMs, of.pingMs, of.processorShare, of.idleLosses],
      ...[of.back, of.attempts, of.admissions, of.most, of.unnoticed],
    ];
    const streams = table(
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
    return `${streams}\n\n${pairTable(pair)}`;
  } finally {
    await removeDataDir(folder);
  }
}
