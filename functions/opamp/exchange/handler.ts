import * as z from 'zod/mini';
import { createHash } from 'node:crypto';
import { ApiError } from '../../../shared/core/errors.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import type { Caller } from '../../contract/caller.ts';
import { defineEndpoint } from '../../contract/endpoint.ts';
import type { CollectorSession } from '../../domain/agent/collector-session.ts';
import { reportAfterSeconds as reportAfterSecondsOf } from '../../domain/fields/liveness.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { createFunction } from '../../runtime/endpoint-function.ts';
import { consumeRateLimit } from '../../store/credentials/rate-limit.ts';
import { reportLimits, reporterOf, writeContextOf } from '../../store/entities/write-context.ts';
import {
  readCollectorSession,
  type SessionId,
  writeCollectorSession,
} from '../../store/heartbeats/collector-session.ts';
import { readHeartbeat } from '../../store/heartbeats/heartbeat.ts';
import { readProcess, type TakenReport, takeReport } from '../../store/heartbeats/report.ts';
import { targetsHashOf } from '../../replies/host-targets.ts';
import { REQUEST_INSTANCE_UID } from '../protocol/capabilities.ts';
import { type CollectorDescription, describedIn } from '../protocol/description.ts';
import { statusIn } from '../protocol/health.ts';
import type { AgentToServer, Reply } from '../protocol/messages.ts';
import { newInstanceUid } from '../protocol/instance-uid.ts';
import {
  isOutdated,
  isOwnEnd,
  LEAST_INTERVAL_SECONDS,
  MAX_REQUESTS_PER_MINUTE,
  received,
  replyTo,
  waitOf,
  withOffer,
  withTargets,
} from '../protocol/session.ts';
import { type OpampReply, type OpampRequest, opampCodec } from './codec.ts';
import { facade } from './contract.ts';
import { declareCollector } from './declare.ts';

const { id, folder, summary, access } = facade;

const contract = defineEndpoint({
  ...{ id, folder, tag: 'OpAMP', summary, access, path: facade.paths[0] ?? '', method: 'POST', role: 'Editor' },
  limit: 'checked',
  scoped: true,
  frequent: true,
  reply: { status: 200, schema: z.unknown() },
  errors: ['notFound', 'alreadyExists', 'failedPrecondition'],
});

/** Half of the jitter: agents get the middle of the interval. */
const NO_JITTER = 0.5;

function tooMany(seconds: number): ApiError {
  const message = `An agent may send ${MAX_REQUESTS_PER_MINUTE} requests per minute. Try again in ${seconds} s.`;
  return new ApiError('resourceExhausted', message, { headers: { 'Retry-After': String(seconds) } });
}

/** Starts are counted too: an agent that restarts all the time has a new session each time. */
async function countStart({ table, clock }: Dependencies, key: string): Promise<void> {
  const limit = { keyId: `opamp ${key}`, ratePerMinute: MAX_REQUESTS_PER_MINUTE, cost: 1, now: clock() };
  const seconds = await consumeRateLimit(table, limit);
  if (seconds !== undefined) throw tooMany(seconds);
}

/** The partition of the caller's sessions. */
const callerOf = ({ scope, keyId, kind }: Caller) => scope ?? `${kind} ${keyId}`;

interface Exchange {
  request: OpampRequest;
  dependencies: Dependencies;
  now: Date;
}

/** The session with its agent: the one that the description declares, unless it declares what is known. */
async function declared(
  session: CollectorSession,
  described: CollectorDescription | undefined,
  { request, dependencies }: Exchange,
): Promise<CollectorSession> {
  if (described === undefined) return session;
  const { version, digest } = described;
  const updated = version === undefined ? session : { ...session, version };
  if (session.agent_id !== undefined && session.declared === digest) return updated;
  const { scope } = request.caller();
  const { nodeName = '', collectorName } = described;
  if (session.writes === 1)
    await countStart(
      dependencies,
      createHash('sha256')
        .update(JSON.stringify([scope ?? nodeName, collectorName]))
        .digest('hex'),
    );
  const { table, newId } = dependencies;
  const writeContext = writeContextOf(request, dependencies);
  const agentId = await declareCollector(described, { table, newId, writeContext });
  return { ...updated, agent_id: agentId, declared: digest };
}

/** A message, and the status of the agent by it. */
interface StatusMessage {
  message: AgentToServer;
  status: ReturnType<typeof statusIn>;
}

const unlessRemoved = <Value>(read: Promise<Value>): Promise<Value | undefined> =>
  read.catch((error: unknown) => {
    if (error instanceof ApiError && error.kind === 'notFound') return undefined;
    throw error;
  });

/** Reports for the agent. @returns undefined for an agent that was removed. */
async function report(
  { agent_id: agentId, version }: CollectorSession,
  { message, status }: StatusMessage,
  { request, dependencies, now }: Exchange,
): Promise<TakenReport | undefined> {
  if (agentId === undefined) return undefined;
  const entry = status && {
    agent_id: agentId,
    status: status.status,
    status_reason: status.reason,
    version,
  };
  const contents = {
    agents: entry === undefined ? [] : [entry],
    ...(message.agentDescription === undefined ? {} : { connected: true }),
    ...(message.agentDisconnect === undefined && status?.isEnd !== true ? {} : { connected: false }),
    // Health is a state of its own: any can follow any other.
    reset: entry !== undefined,
  };
  const reporter = reporterOf(request, dependencies);
  return unlessRemoved(takeReport(dependencies.table, { pmmAgentId: agentId, contents, ...reporter, now }));
}

/**
 * Whether the end of a connection or of a start concerns no one any more: the agent has reported on a newer one since. A start without a
 * configured uid has another session.
 */
async function hasReturned(
  last: CollectorSession | undefined,
  { message, status }: StatusMessage,
  { request, dependencies: { table, ownerLabel } }: Exchange,
): Promise<boolean> {
  const isEnd = message.agentDisconnect !== undefined || status?.isEnd === true;
  if (!isEnd || last?.agent_id === undefined) return false;
  if (isOutdated(last, message)) return true;
  const { agent_id: agentId, seen_at: seenAt = Infinity } = last;
  const place = await unlessRemoved(readProcess(table, agentId, reportLimits(request.caller(), { ownerLabel })));
  const heartbeat = place && (await readHeartbeat(table, place.nodeId));
  return (heartbeat?.processes.get(agentId)?.at ?? 0) > seenAt;
}

/** Adds what is due to the reply: the interval, and the digest of the targets of its host. */
async function withNews(
  plain: { session: CollectorSession; reply: Reply },
  taken: TakenReport | undefined,
  { request: { message }, dependencies: { table }, now }: Exchange,
): Promise<{ session: CollectorSession; reply: Reply; reportAfterSeconds: number | undefined }> {
  if (taken === undefined) return { ...plain, reportAfterSeconds: undefined };
  const reportAfterSeconds = Math.max(LEAST_INTERVAL_SECONDS, reportAfterSecondsOf(taken.heartbeat.life, NO_JITTER));
  const offer = withOffer(plain, message, reportAfterSeconds, now.getTime());
  if (offer.session.takes_targets !== true) return { ...offer, reportAfterSeconds };
  return { ...withTargets(offer, message, await targetsHashOf(table, taken.heartbeat)), reportAfterSeconds };
}

/** The reply to an agent that asks for another uid, under which its session continues. */
function identified(message: AgentToServer, reply: Reply, now: Date): { reply: Reply; uid: Uint8Array } {
  const { instanceUid, flags } = message;
  if ((flags & REQUEST_INSTANCE_UID) === 0n) return { reply, uid: instanceUid };
  const uid = newInstanceUid(now);
  return { reply: { ...reply, agentIdentification: { newInstanceUid: uid } }, uid };
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

async function exchange(all: Exchange): Promise<OpampReply> {
  const { request, dependencies, now } = all;
  const { message } = request;
  const { table } = dependencies;
  const caller = callerOf(request.caller());
  const sessionId: SessionId = { caller, uid: hex(message.instanceUid) };
  const last = await readCollectorSession(table, sessionId);
  const wait = waitOf(last, now.getTime());
  if (wait > 0) throw tooMany(Math.ceil(wait / 1000));
  const said = { message, status: statusIn(message, isOwnEnd(last, message)) };
  if (await hasReturned(last, said, all))
    return { message: replyTo(message, false), reportAfterSeconds: undefined, isRoutine: true };
  const described = describedIn(message);
  // Messages of unknown starts without a description are counted by caller: nothing else distinguishes them.
  if (last === undefined && described === undefined && request.caller().scope !== undefined)
    await countStart(dependencies, caller);
  const step = received(last, message, now.getTime());
  let session = await declared(step.session, described, all);
  let taken = await report(session, said, all);
  if (taken === undefined && session.agent_id !== undefined) {
    // A person removed the agent or its node: it is declared anew by its description, now or when it sends one.
    const { agent_id: _, ...forgotten } = session;
    session = await declared(forgotten, described, all);
    taken = await report(session, said, all);
  }
  const plain = replyTo(message, step.asksFullState);
  const offer = await withNews({ session, reply: plain }, taken, all);
  const { reply, uid } = identified(message, offer.reply, now);
  const isSame = uid === message.instanceUid;
  const writtenTo = isSame ? sessionId : { caller, uid: hex(uid) };
  await writeCollectorSession(table, writtenTo, { session: offer.session, last: isSame ? last : undefined, now });
  const { reportAfterSeconds } = offer;
  return { message: reply, reportAfterSeconds, isRoutine: taken?.hasNews === false };
}

export const { handler, handlerWith } = createFunction({
  callOf: () => ({ contract }),
  codec: opampCodec,
  handle: (request: OpampRequest, dependencies: Dependencies) =>
    retryOnContention(dependencies.table, () => exchange({ request, dependencies, now: dependencies.clock() })),
});
