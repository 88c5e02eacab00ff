import { create } from '@bufbuild/protobuf';
import { describedBy, type MessageInit } from '../../../tests/support/opamp.ts';
import type { CollectorSession } from '../../domain/agent/collector-session.ts';
import { agentCapabilities, REPORT_FULL_STATE } from './capabilities.ts';
import { AgentToServerSchema } from './generated/opamp_pb.ts';
import type { Reply } from './messages.ts';
import { MAX_REQUESTS_PER_MINUTE, received, replyTo, waitOf, withOffer } from './session.ts';

/** The bits of capabilities that change how an agent behaves. */
const BITS = [0x1n, 0x2n, 0x4n, 0x100n, 0x200n, 0x800n, 0x1000n, 0x2000n, 0x8000n];

const everyCombination = Array.from({ length: 2 ** BITS.length }, (_, index) =>
  BITS.reduce((all, bit, at) => ((index >> at) & 1 ? all | bit : all), 0n),
);

const uid = new Uint8Array(16).fill(7);
const description = describedBy({ 'service.name': 'otelcol' });

/** The service for one agent: the pure part, with an agent that exists as soon as it is described. */
class Server {
  session: CollectorSession | undefined;
  now = 1_000_000_000_000;

  reply(init: MessageInit, seconds = 240): Reply | 'throttled' {
    if (waitOf(this.session, this.now) > 0) return 'throttled';
    const message = create(AgentToServerSchema, init);
    const step = received(this.session, message, this.now);
    const agentId = message.agentDescription === undefined ? step.session.agent_id : 'agent';
    const updated = agentId === undefined ? step.session : { ...step.session, agent_id: agentId };
    const reply = replyTo(message, step.asksFullState);
    const outcome =
      agentId === undefined
        ? { session: updated, reply }
        : withOffer({ session: updated, reply }, message, seconds, this.now);
    this.session = outcome.session;
    return outcome.reply;
  }
}

/**
 * An agent that answers every reply as eagerly as the protocol permits: a question for the full state and, with new settings, by
 * a new connection (with a description and the first number) or by their status.
 */
class Agent {
  readonly capabilities: bigint;
  sequence = 0n;
  hash: Uint8Array | undefined;

  constructor(capabilities: bigint) {
    this.capabilities = capabilities;
  }

  message(more: MessageInit = {}): MessageInit {
    const { capabilities } = this;
    const sequenceNum = this.sequence;
    this.sequence += 1n;
    const last = this.hash === undefined ? {} : { lastConnectionSettingsHash: this.hash };
    const status = (capabilities & 0x8000n) === 0n ? {} : { connectionSettingsStatus: last };
    const health = (capabilities & 0x800n) === 0n ? {} : { health: { healthy: true } };
    const isWhole = more.agentDescription !== undefined;
    return { instanceUid: uid, sequenceNum, capabilities, ...(isWhole ? { ...status, ...health } : {}), ...more };
  }

  /** The message after a reply; undefined: the agent is quiet until its next poll. */
  answer(reply: Reply, connectsAnew: boolean): MessageInit | undefined {
    const asksFullState = ((reply.flags ?? 0n) & REPORT_FULL_STATE) !== 0n;
    const hash = reply.connectionSettings?.hash;
    if (hash !== undefined) {
      this.hash = hash;
      if (connectsAnew) this.sequence = 0n;
      if (connectsAnew || asksFullState) return this.message({ agentDescription: description });
      return (this.capabilities & 0x8000n) === 0n
        ? undefined
        : this.message({ connectionSettingsStatus: { lastConnectionSettingsHash: hash } });
    }
    return asksFullState ? this.message({ agentDescription: description }) : undefined;
  }
}

/** Sends a message and answers each reply at once. @returns the number of messages until the agent is quiet. */
function messagesUntilQuiet(server: Server, agent: Agent, first: MessageInit, connectsAnew: boolean): number {
  let next: MessageInit | undefined = first;
  for (let count = 0; ; count += 1) {
    if (next === undefined) return count;
    const reply = server.reply(next);
    if (reply === 'throttled') return Infinity;
    next = agent.answer(reply, connectsAnew);
  }
}

test('with any capabilities, an agent is quiet after at most three messages, whatever the reply', () => {
  let most = 0;
  for (const capabilities of everyCombination)
    for (const connectsAnew of [false, true]) {
      const begin = { described: { agentDescription: description }, unknown: {} };
      for (const first of Object.values(begin)) {
        const [server, agent] = [new Server(), new Agent(capabilities)];
        const run = (message: MessageInit) => {
          most = Math.max(most, messagesUntilQuiet(server, agent, agent.message(message), connectsAnew));
          server.now += 240_000;
        };
        run(first);
        run({});
        // A lost message, a day later, and a start with the same uid.
        agent.sequence += 5n;
        run({});
        server.now += 86_400_000;
        run({});
        agent.sequence = 0n;
        run({ agentDescription: description });
      }
    }
  expect(most).toBe(3);
});

test('an agent sends at most ten messages a minute, however eager', () => {
  for (const capabilities of [0n, 0x2000n, 0xffffn]) {
    const server = new Server();
    const agent = new Agent(capabilities);
    const accepted: number[] = [];
    for (let step = 0; step < 2000; step += 1) {
      server.now += 130;
      if (server.reply(agent.message({ agentDescription: description })) !== 'throttled') accepted.push(server.now);
    }
    for (const [index, at] of accepted.entries()) {
      const tenLater = accepted[index + MAX_REQUESTS_PER_MINUTE];
      if (tenLater !== undefined) expect(tenLater - at).toBeGreaterThanOrEqual(60_000);
    }
    expect(accepted.length).toBeGreaterThan(MAX_REQUESTS_PER_MINUTE);
  }
});

test('an offer contains only the interval, and is never sent to an agent that accepts credentials', () => {
  for (const capabilities of everyCombination) {
    const reply = new Server().reply(new Agent(capabilities).message({ agentDescription: description }));
    if (reply === 'throttled') throw new Error('throttled at once');
    const { acceptsConnectionSettings, reportsHeartbeat } = agentCapabilities;
    const isSafe = (capabilities & reportsHeartbeat) !== 0n && (capabilities & acceptsConnectionSettings) === 0n;
    expect(reply.connectionSettings?.opamp).toEqual(isSafe ? { heartbeatIntervalSeconds: 240n } : undefined);
  }
});

test('a restart with the same uid gets the interval again', () => {
  const server = new Server();
  const first = new Agent(0x2000n).message({ agentDescription: description });
  expect(server.reply(first)).toHaveProperty('connectionSettings');
  server.now += 120_000;
  expect(server.reply(first)).toHaveProperty('connectionSettings');
});

/** The seconds after the first offer in which messages get another one. */
function offersAfter(messages: readonly (readonly [atSeconds: number, message: MessageInit])[]): number[] {
  const [server, agent] = [new Server(), new Agent(0x2000n)];
  const begin = server.now;
  server.reply(agent.message({ agentDescription: description }));
  return messages.flatMap(([atSeconds, more]) => {
    server.now = begin + atSeconds * 1000;
    const reply = server.reply(agent.message(more));
    return reply !== 'throttled' && reply.connectionSettings !== undefined ? [atSeconds] : [];
  });
}

test('restarts within a minute of an offer get the interval with the first message after that minute', () => {
  const start = { agentDescription: description };
  const beats = (from: number) => Array.from({ length: 6 }, (_, index) => [from + 30 * index, {}] as const);
  expect(offersAfter([[20, start], ...beats(50)])).toEqual([80]);
  expect(offersAfter([[1, start], [5, start], [10, start], ...beats(40)])).toEqual([70]);
  expect(offersAfter(beats(30))).toEqual([]);
});

test('an agent that reconnects after each offer gets two in the first hour, then one an hour', () => {
  const start = { agentDescription: description };
  const anew = Array.from({ length: 90 }, (_, index) => [240 * (index + 1), {}] as const).flatMap(
    ([at, beat]) =>
      [
        [at, beat],
        [at + 1, start],
      ] as const,
  );
  expect(offersAfter([[1, start], ...anew.filter(([at]) => at % 240 === 0)])).toEqual([240]);
  const offers = offersAfter(anew.filter(([at], index) => index < 2 || at % 240 === 0));
  expect(offers.length).toBeLessThanOrEqual(7);
});

test('an agent is not blocked after the clock was set back', () => {
  const server = new Server();
  for (let count = 0; count < 20; count += 1) server.reply({ instanceUid: uid });
  expect(server.reply({ instanceUid: uid })).toBe('throttled');
  server.now -= 3_600_000;
  expect(server.reply({ instanceUid: uid })).not.toBe('throttled');
});

test('an agent that has sent ten messages waits until the first is a minute old, to the millisecond', () => {
  const begin = 1_000_000_000_000;
  const message = create(AgentToServerSchema, { instanceUid: uid });
  let session: CollectorSession | undefined;
  for (let count = 0; count < MAX_REQUESTS_PER_MINUTE; count += 1) {
    expect(waitOf(session, begin + count)).toBe(0);
    ({ session } = received(session, message, begin + count));
    expect(session.writes).toBe(count + 1);
  }
  expect(waitOf(session, begin + 9)).toBe(59_991);
  expect(waitOf(session, begin + 59_999)).toBe(1);
  expect(waitOf(session, begin + 60_000)).toBe(0);
  // The next one takes the place of the first.
  ({ session } = received(session, message, begin + 60_000));
  expect(waitOf(session, begin + 60_000)).toBe(1);
});
