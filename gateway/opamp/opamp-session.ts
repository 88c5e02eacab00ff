import { type MonotonicClock, pause } from '../../shared/core/monotonic-clock.ts';
import { agentCapabilities } from '../../functions/opamp/protocol/capabilities.ts';
import type { AgentToServer } from '../../functions/opamp/protocol/messages.ts';
import type { Credential } from '../relay/inventory.ts';
import type { Forward, OpampReply } from './forward.ts';
import { frameOf, InvalidFrame, newUidIn, readFrame, writeAgentToServer, writeError } from './messages.ts';

/** Messages that wait before the connection is no longer read, and the most that may wait: those of one packet. */
const MAX_READ = 4;
const MAX_WAITING = 100;

/** Messages at once, and a second on average: further ones wait. */
const BURST = 20;
const MESSAGES_PER_SECOND = 2;

/** The interval of heartbeats until the service states one, and the pause after it could not be reached. */
const INTERVAL_SECONDS = 240;
const RETRY_SECONDS = 30;

/** The longest pause: after it, an outage or a limit may be over. */
const MAX_RETRY_SECONDS = 300;

/** An agent with heartbeats of its own needs those of the gateway only if they fail. */
const OWN_HEARTBEATS = 2;

/** Part of an interval by which heartbeats are earlier at random, so that those of all agents spread. */
const JITTER = 0.1;

/** Codes of closed connections (RFC 6455, section 7.4.1). */
export const closeCodes = { goingAway: 1001, unsupported: 1003, refused: 1008 } as const;

/** The connection of an agent. */
export interface OpampWire {
  send: (frame: Buffer) => void;
  /** Reads nothing more until `resume`. */
  pause: () => void;
  resume: () => void;
  close: (code: number, reason: string) => void;
}

interface SessionOptions {
  wire: OpampWire;
  credential: Credential;
  forward: Forward;
  monotonic: MonotonicClock;
}

/** The state of an agent that the gateway repeats in its name. */
type KnownAgent = Pick<AgentToServer, 'instanceUid' | 'sequenceNum' | 'capabilities'>;

const isPassing = ({ status }: OpampReply) => status === 429 || status >= 500;

/** An agent on a WebSocket: its messages become requests one after the other, and their replies its frames. */
export class OpampSession {
  readonly #options: SessionOptions;
  readonly #waiting: Buffer[] = [];
  #isWorking = false;
  #isClosed = false;
  /** It has said that it ends its connection. */
  #hasLeft = false;
  #agent: KnownAgent | undefined;
  /** A message could not be delivered. The next heartbeat has a number that makes the service ask for the full state. */
  #hasLost = false;
  #tokens = BURST;
  #refilledAt: number;
  /** Until when the service wants no message, and when the next heartbeat is due. */
  #busyUntil = 0;
  #dueAt: number;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#refilledAt = options.monotonic.now();
    this.#dueAt = this.#after(INTERVAL_SECONDS);
  }

  /** The uid of the agent; undefined until its first message. */
  get uid(): string | undefined {
    return this.#agent && Buffer.from(this.#agent.instanceUid).toString('hex');
  }

  /** Whether the agent is to be reported as alive. */
  get isDue(): boolean {
    return this.#agent !== undefined && !this.#isWorking && this.#options.monotonic.now() >= this.#dueAt;
  }

  #after(seconds: number, earlier = JITTER): number {
    return this.#options.monotonic.now() + 1000 * seconds * (1 - earlier * Math.random());
  }

  /** Takes a frame of the agent. */
  receive(frame: Buffer): void {
    if (this.#isClosed) return;
    this.#waiting.push(frame);
    const { wire } = this.#options;
    if (this.#waiting.length >= MAX_READ) wire.pause();
    if (this.#waiting.length > MAX_WAITING) this.end(closeCodes.refused, 'Too many messages.');
    else if (!this.#isWorking) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (let frame = this.#waiting.shift(); frame !== undefined; frame = this.#waiting.shift()) {
      if (this.#waiting.length < MAX_READ) this.#options.wire.resume();
      await this.#takeToken();
      await this.#answer(frame);
      if (this.#isClosed) return;
    }
    this.#isWorking = false;
  }

  async #takeToken(): Promise<void> {
    const now = this.#options.monotonic.now();
    this.#tokens = Math.min(BURST, this.#tokens + ((now - this.#refilledAt) / 1000) * MESSAGES_PER_SECOND) - 1;
    this.#refilledAt = now;
    if (this.#tokens < 0) await pause(this.#options, (-this.#tokens / MESSAGES_PER_SECOND) * 1000, { ref: false });
  }

  async #answer(frame: Buffer): Promise<void> {
    try {
      const message = readFrame(frame);
      const { instanceUid, sequenceNum, capabilities } = message;
      this.#agent = { instanceUid, sequenceNum, capabilities };
      const reply = await this.#exchange(writeAgentToServer(message));
      if (this.#isClosed) return;
      this.#hasLeft = message.agentDisconnect !== undefined && reply.status === 200;
      this.#hasLost = isPassing(reply) || (this.#hasLost && reply.status !== 200);
      this.#reply(reply);
    } catch (error) {
      if (!(error instanceof InvalidFrame)) throw error;
      this.#send(writeError(error.message));
    }
  }

  #send(message: Uint8Array): void {
    if (!this.#isClosed) this.#options.wire.send(frameOf(message));
  }

  #reply(reply: OpampReply): void {
    const { status, message, words, retryAfterSeconds = RETRY_SECONDS } = reply;
    this.#send(message ?? writeError(words, isPassing(reply) ? retryAfterSeconds : undefined));
    // Its next connection is refused with the reason, and agents try again with growing pauses.
    if (status === 401) this.end(closeCodes.refused, words);
  }

  /** Reports that the agent is alive, with its own credential. Replies with news are passed on. */
  async beat(): Promise<void> {
    const agent = this.#agent;
    if (agent === undefined || this.#isClosed) return;
    this.#dueAt = Infinity;
    const { instanceUid, capabilities } = agent;
    const sequenceNum = this.#ownNumber(agent);
    const reply = await this.#exchange(writeAgentToServer({ instanceUid, sequenceNum, capabilities }));
    if (reply.status === 200) this.#hasLost = false;
    if (reply.status === 200 || reply.status === 401) this.#reply(reply);
  }

  /** One request, unless the service has asked for a pause. */
  async #exchange(message: Uint8Array): Promise<OpampReply> {
    const { forward, credential, monotonic } = this.#options;
    const pauseMs = this.#busyUntil - monotonic.now();
    const reply =
      pauseMs > 0
        ? unavailable('Too many messages. Try again.', Math.ceil(pauseMs / 1000))
        : await forward(message, credential).catch(() =>
            unavailable('The inventory cannot be reached. Try again.', RETRY_SECONDS),
          );
    this.#schedule(reply, pauseMs > 0);
    return reply;
  }

  #schedule(reply: OpampReply, isOwn: boolean): void {
    const { reportAfterSeconds = INTERVAL_SECONDS, retryAfterSeconds = RETRY_SECONDS, message } = reply;
    if (!isPassing(reply)) {
      const hasOwn = ((this.#agent?.capabilities ?? 0n) & agentCapabilities.reportsHeartbeat) !== 0n;
      this.#dueAt = this.#after(hasOwn ? OWN_HEARTBEATS * reportAfterSeconds : reportAfterSeconds);
      const uid = message && newUidIn(message);
      if (uid !== undefined && this.#agent !== undefined) this.#agent = { ...this.#agent, instanceUid: uid };
      return;
    }
    const seconds = Math.min(retryAfterSeconds, MAX_RETRY_SECONDS);
    if (!isOwn) this.#busyUntil = this.#options.monotonic.now() + 1000 * seconds;
    // Later at random: all agents wait for the same service.
    this.#dueAt = this.#after(reply.status === 429 ? seconds : Math.max(seconds, RETRY_SECONDS), -1);
  }

  /** The message that reports the end of the connection; undefined if the agent has reported it, or has no uid. */
  get lostMessage(): Uint8Array | undefined {
    if (this.#agent === undefined || this.#hasLeft) return undefined;
    return writeAgentToServer({ ...this.#agent, sequenceNum: this.#ownNumber(this.#agent), agentDisconnect: {} });
  }

  /** The number of a message of the gateway: that of the last message, which makes the service ask for the full state if it was lost. */
  #ownNumber({ sequenceNum }: KnownAgent): bigint {
    return sequenceNum + (this.#hasLost ? 2n : 0n);
  }

  /** Closes the connection. */
  end(code: number, reason: string): void {
    if (this.#isClosed) return;
    this.close();
    this.#options.wire.close(code, reason);
  }

  /** The connection is closed: nothing is sent any more. */
  close(): void {
    this.#isClosed = true;
    this.#waiting.length = 0;
  }
}

const unavailable = (words: string, retryAfterSeconds: number): OpampReply => ({
  ...{ status: 503, message: undefined, words, reportAfterSeconds: undefined },
  retryAfterSeconds,
});
