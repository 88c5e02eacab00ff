import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import type { Duplex } from 'node:stream';
import { PMM_VERSION } from '../../functions/pmm/declarations/version.ts';
import { createVersionedSecret } from '../../shared/aws/secret-versions.ts';
import { describeError, type Log } from '../../shared/core/log.ts';
import { every, type MonotonicClock, pause } from '../../shared/core/monotonic-clock.ts';
import { OpampSockets, wantsOpamp } from '../opamp/opamp-sockets.ts';
import { AgentGateway } from '../relay/agent-gateway.ts';
import type { GatewayNumbers } from '../relay/gateway-options.ts';
import { InventoryError, type Send } from '../relay/inventory.ts';
import { AgentConnections, LISTEN_BACKLOG } from '../streams/connections.ts';
import {
  claimToken,
  DatedStore,
  keyFile,
  keySource,
  type KeyStore,
  logRotationFailure,
  MissingKey,
  rotateWhenOld,
} from './gateway-key.ts';
import { createHealthServer } from './health.ts';
import { createHttpForward } from './http-forward.ts';
import { createHttpSend, type KeySource } from './http-send.ts';
import { createListener } from './listener.ts';
import { metricsLine } from './metrics.ts';
import { createPassOn } from './pass-on.ts';
import { RequestLimit } from './request-limit.ts';
import type { ContainerSettings } from './settings.ts';

/** Pause after the change feed could not be read at the start, and while no key is stored. */
const RETRY_MS = 5000;

const METRICS_MS = 60_000;

/** When the age of the key is looked at, after the start and then regularly; a random part keeps gateways apart. */
const FIRST_ROTATION_MS = 10_000;
const ROTATION_MS = 3_600_000;

/** The spread of a drain that a deployment asks for: ECS limits only that after SIGTERM. */
const SLOW_DRAIN_MS = 600_000;

/** The log, the output and the clocks of the process. */
interface ContainerContext {
  log: Log;
  /** Prints a line. */
  write: (line: string) => void;
  /** The time of day. */
  clock: () => Date;
  monotonic: MonotonicClock;
}

export interface RunningContainer {
  port: number;
  healthPort: number;
  /** Accepts no connections any more, ends all streams over some time, and stores the last reports. */
  stop: (drainMs: number) => Promise<void>;
}

const portOf = (server: Server) => {
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

/** The key of the gateway, and the store in which it rotates it; undefined: another program replaces it. */
function keyOf(
  { keySecretArn, keyFile: path = '' }: ContainerSettings,
  { monotonic }: ContainerContext,
): { key: KeySource; store?: DatedStore } {
  if (keySecretArn === undefined) return { key: keyFile(path, monotonic) };
  const secret = createVersionedSecret(keySecretArn);
  const store = new DatedStore({
    ...secret,
    claim: (versionId, period) => secret.claim(claimToken(versionId, period)),
  });
  return { key: keySource(async () => (await store.read()).text, monotonic), store };
}

/** Rotates the key with itself, as an agent calls with its own credential. */
function startRotation(store: KeyStore, send: Send, { log, clock, monotonic }: ContainerContext): (() => void)[] {
  const rotate = async (key: string, overlap: string) => {
    const as = { authorization: `Bearer ${key}`, source: '' };
    const reply = await send({ method: 'POST', path: '/v1/caller/rotate', body: { overlap }, as });
    if (reply.status !== 200) throw new InventoryError(reply);
    return reply.body;
  };
  const run = () => void rotateWhenOld({ store, rotate, log, clock }).catch(logRotationFailure(log));
  const random = 0.5 + Math.random();
  return [
    monotonic.after(FIRST_ROTATION_MS * random, run, { ref: false }),
    every(monotonic, ROTATION_MS * random, run, { ref: false }),
  ];
}

/** Follows the change feed, as soon as the service can be reached. @param note whether the key is missing. */
async function follow(
  agents: AgentGateway,
  { log, monotonic }: ContainerContext,
  note: (lacksKey: boolean) => void,
  isStopped: () => boolean,
) {
  while (!isStopped()) {
    try {
      await agents.follow();
      note(false);
      return;
    } catch (error) {
      note(error instanceof MissingKey);
      log({ level: 'error', message: 'the change feed cannot be followed', cause: describeError(error) });
      await pause({ monotonic }, RETRY_MS);
    }
  }
}

/** Minutes in which a fall of the number of streams is a symptom. */
const FALL_MINUTES = 5;

/** Prints the metrics once a minute. While the program drains, its streams fall by design: none are printed. */
function startMetrics(
  namespace: string,
  { write, clock, monotonic }: ContainerContext,
  numbersNow: () => GatewayNumbers,
  isDraining: () => boolean,
  keyAgeMs: () => number | undefined,
) {
  let refusedBefore = 0;
  let before: number[] = [];
  const print = () => {
    if (isDraining()) return;
    const { refused, ...numbers } = numbersNow();
    const values = { ...numbers, before, refused: refused - refusedBefore, keyAgeMs: keyAgeMs() };
    write(metricsLine(namespace, values, clock()));
    refusedBefore = refused;
    before = [...before, numbers.streams].slice(-FALL_MINUTES);
  };
  return every(monotonic, METRICS_MS, print, { ref: false });
}

/** The parts that hold the streams of agents, and the figures of all. */
function serversOf(
  { apiUrl, feedMs, maxStreams }: ContainerSettings,
  send: Send,
  limit: RequestLimit,
  { log, clock, monotonic }: ContainerContext,
) {
  const agents = new AgentGateway({ send, log, clock, monotonic, versions: PMM_VERSION, feedMs, hasPeers: true });
  const connections = new AgentConnections(maxStreams, (stream) => void agents.serve(stream), monotonic);
  const forward = createHttpForward({ apiUrl, limit });
  const opamp = new OpampSockets({ max: () => maxStreams, send, forward, log, monotonic });
  const numbers = (): GatewayNumbers => {
    const { streams, refused, feedAgeMs } = agents.numbers;
    return { streams: streams + opamp.size, refused: refused + opamp.refused, feedAgeMs };
  };
  const upgrades = {
    accepts: wantsOpamp,
    // The address of the agent is that of the balancer here; the API sees that of this program.
    serve: (request: IncomingMessage, socket: Duplex, head: Buffer) => void opamp.upgrade(request, socket, head, ''),
  };
  return { agents, connections, opamp, numbers, upgrades };
}

/** Serves agents behind a balancer, for an inventory that is reached by HTTPS. @throws when a port cannot be used. */
export async function startContainer(
  settings: ContainerSettings,
  context: ContainerContext,
): Promise<RunningContainer> {
  const { log, clock, monotonic } = context;
  const { apiUrl, mainUrl, host, expectsProxyHeader, metricsNamespace } = settings;
  const { key, store } = keyOf(settings, context);
  const limit = new RequestLimit(monotonic);
  const send = createHttpSend({ baseUrl: apiUrl, key, limit, monotonic });
  const { agents, connections, opamp, numbers, upgrades } = serversOf(settings, send, limit, context);
  const http1 = createPassOn({ apiUrl, mainUrl, upgrades });
  const serveHttp2 = connections.serve.bind(connections);
  const listener = createListener({ expectsProxyHeader, serveHttp2, http1, monotonic });
  let isDraining = false;
  let lacksKey = false;
  let draining: Promise<void> | undefined;
  const drain = (milliseconds: number): Promise<void> => {
    isDraining = true;
    // Connections that exist stay: each stream ends at its time.
    listener.close();
    http1.closeIdleConnections();
    log({ level: 'info', message: 'draining', streams: numbers().streams, seconds: milliseconds / 1000 });
    return (draining = Promise.all([agents.drain(milliseconds), opamp.drain(milliseconds)]).then(() => undefined));
  };
  const health = createHealthServer({
    isDraining: () => isDraining,
    lacksKey: () => lacksKey,
    feedAgeMs: () => agents.numbers.feedAgeMs,
    drain: () => void (draining ?? drain(SLOW_DRAIN_MS)),
  });
  await once(listener.listen({ port: settings.port, host, backlog: LISTEN_BACKLOG }), 'listening');
  await once(health.listen(settings.healthPort, host), 'listening');
  const isMissing = (isIt: boolean) => (lacksKey = isIt);
  void follow(agents, context, isMissing, () => isDraining);
  const timers = store === undefined ? [] : startRotation(store, send, context);
  if (metricsNamespace !== undefined) {
    const keyAgeMs = () => store?.ageMs(clock());
    timers.push(startMetrics(metricsNamespace, context, numbers, () => isDraining, keyAgeMs));
  }
  return {
    port: portOf(listener),
    healthPort: portOf(health),
    stop: async (drainMs) => {
      await drain(drainMs);
      await Promise.all([agents.stop(), opamp.stop()]);
      await connections.close();
      for (const cancel of timers) cancel();
      http1.closeAllConnections();
      health.close();
    },
  };
}
