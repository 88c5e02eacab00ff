import type { CollectorSession } from '../../domain/agent/collector-session.ts';
import { agentCapabilities, REPORT_FULL_STATE, SERVER_CAPABILITIES, TARGETS_CAPABILITY } from './capabilities.ts';
import type { AgentToServer, Reply } from './messages.ts';

/** The most requests of an agent in any minute. */
export const MAX_REQUESTS_PER_MINUTE = 10;

const MINUTE = 60_000;

/** The shortest interval that the service states: heartbeats at it leave room for news in the requests of a minute. */
export const LEAST_INTERVAL_SECONDS = MINUTE / 1000 / MAX_REQUESTS_PER_MINUTE + 1;

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * An agent that connects anew because of an offer describes itself again at once. A later description is that of a new
 * start, which may not know the interval. A description in the pause may be of either: the agent gets the offer with its
 * next message after the pause, at most once an hour, so that no agent connects anew again and again.
 */
const OFFER_PAUSE = MINUTE;

/** Milliseconds until the agent may send a request; 0: at once. */
export function waitOf(session: CollectorSession | undefined, now: number): number {
  const recent = recentOf(session, now);
  const [oldest = now] = recent;
  return recent.length < MAX_REQUESTS_PER_MINUTE ? 0 : Math.max(1, oldest + MINUTE - now);
}

/** A time in the future is that of another clock. */
const recentOf = (session: CollectorSession | undefined, now: number) =>
  (session?.requests ?? []).filter((at) => Math.abs(now - at) < MINUTE);

const sequenceOf = ({ sequenceNum }: AgentToServer) => Number(BigInt.asUintN(53, sequenceNum));

/** Whether messages between this one and the last one are lost. A repeated request has the same number again. */
function hasGap(session: CollectorSession, message: AgentToServer): boolean {
  const lost = sequenceOf(message) - session.sequence;
  return lost !== 0 && lost !== 1;
}

/** Agents announce their custom capabilities with their full state, and leave them out while they are the same. */
function takesTargets({ customCapabilities }: AgentToServer): Pick<CollectorSession, 'takes_targets'> {
  if (customCapabilities === undefined) return {};
  return { takes_targets: customCapabilities.capabilities.includes(TARGETS_CAPABILITY) };
}

/**
 * Whether a message that ends a connection is about an older one: the agent has sent later messages on another one. A
 * gateway reports a lost connection some seconds later.
 */
export const isOutdated = (session: CollectorSession | undefined, message: AgentToServer): boolean =>
  message.agentDisconnect !== undefined && session !== undefined && sequenceOf(message) < session.sequence;

/**
 * Whether the agent itself says that its connection ends: with its next message. A gateway that reports a lost connection
 * repeats the number of the last one.
 */
export const isOwnEnd = (session: CollectorSession | undefined, message: AgentToServer): boolean =>
  message.agentDisconnect !== undefined && session !== undefined && sequenceOf(message) === session.sequence + 1;

/** The session after a message was received, with the question for the full state if it is due. */
export function received(
  session: CollectorSession | undefined,
  message: AgentToServer,
  now: number,
): { session: CollectorSession; asksFullState: boolean } {
  const isDescribed = message.agentDescription !== undefined;
  const next: CollectorSession = {
    ...session,
    writes: (session?.writes ?? 0) + 1,
    sequence: sequenceOf(message),
    seen_at: now,
    requests: [...recentOf(session, now), now],
    ...(isDescribed ? { described_at: now } : {}),
    ...takesTargets(message),
  };
  const isUnknown = next.agent_id === undefined && !isDescribed;
  const isOld = next.described_at !== undefined && now - next.described_at >= DAY;
  const isLost = session !== undefined && hasGap(session, message);
  const wasAsked = next.asked_at !== undefined && now - next.asked_at < HOUR;
  const asksFullState = !isDescribed && (isUnknown || isOld || isLost) && !wasAsked;
  return { session: asksFullState ? { ...next, asked_at: now } : next, asksFullState };
}

/** Whether the interval is due to be offered. To an agent that takes credentials, only an offer of all settings is safe. */
function isOfferDue(session: CollectorSession, message: AgentToServer, seconds: number, now: number): boolean {
  const { acceptsConnectionSettings, reportsHeartbeat } = agentCapabilities;
  const { capabilities, agentDescription } = message;
  if ((capabilities & reportsHeartbeat) === 0n || (capabilities & acceptsConnectionSettings) !== 0n) return false;
  if (session.offered !== seconds) return true;
  const { offered_at: offeredAt = 0, described_at: describedAt = 0, repeated_at: repeatedAt = 0 } = session;
  if (now - offeredAt < OFFER_PAUSE) return false;
  return agentDescription !== undefined || (describedAt > offeredAt && now - repeatedAt >= HOUR);
}

/** Adds the offer of the interval to a reply, at most once for each description and each new interval. */
export function withOffer(
  { session, reply }: { session: CollectorSession; reply: Reply },
  message: AgentToServer,
  seconds: number,
  now: number,
): { session: CollectorSession; reply: Reply } {
  if (!isOfferDue(session, message, seconds, now)) return { session, reply };
  const connectionSettings = {
    hash: Buffer.from(`interval ${seconds}`),
    opamp: { heartbeatIntervalSeconds: BigInt(seconds) },
  };
  const isRepeated = session.offered === seconds && message.agentDescription === undefined;
  const offered = { ...session, offered: seconds, offered_at: now, ...(isRepeated ? { repeated_at: now } : {}) };
  return { session: offered, reply: { ...reply, connectionSettings } };
}

/** Adds the digest of the targets of the host to a reply, unless the agent got the same one last. */
export function withTargets(
  { session, reply }: { session: CollectorSession; reply: Reply },
  message: AgentToServer,
  hash: string,
): { session: CollectorSession; reply: Reply } {
  // A new start does not know the last one.
  if (session.targets === hash && message.customCapabilities === undefined) return { session, reply };
  const announced = { customCapabilities: { capabilities: [TARGETS_CAPABILITY] } };
  const customMessage = { capability: TARGETS_CAPABILITY, type: 'targets_hash', data: Buffer.from(hash) };
  return { session: { ...session, targets: hash }, reply: { ...reply, ...announced, customMessage } };
}

/** A reply without an offer. */
export function replyTo({ instanceUid }: AgentToServer, asksFullState: boolean): Reply {
  return { instanceUid, capabilities: SERVER_CAPABILITIES, flags: asksFullState ? REPORT_FULL_STATE : 0n };
}
