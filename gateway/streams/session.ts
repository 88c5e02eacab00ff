import { codes, INITIALIZATION_ERROR, statusOf } from '../protocol/enumerations.ts';
import type { AgentMessage, SetState, StateChange } from '../protocol/generated/agent_pb.ts';
import { type Generation, plainId } from '../protocol/generation.ts';
import { pong, readAgentMessage, type ServerPayload, setState, writeServerMessage } from '../protocol/messages.ts';
import type { AgentStatus } from '../../functions/domain/agent/types.ts';
import type { MonotonicClock } from '../../shared/core/monotonic-clock.ts';
import { type Frame, frameOf, StreamFault } from './framing.ts';

/** Pings without an answer, one in each turn of the wheel, after which a stream ends. */
export const MAX_MISSED = 3;

/** Messages that may arrive at once, and a second on average. A restarted agent reports all its exporters. */
const BURST = 250;
const MESSAGES_PER_SECOND = 50;

/** The wire of one stream. */
export interface Wire {
  write: (frame: Buffer) => void;
  /** Ends the stream with a code of gRPC and words for the log of the agent. */
  end: (code: number, message: string) => void;
}

/** A status that an agent process sent. */
export interface StatusChange {
  agentId: string;
  status: AgentStatus;
  listenPort: number | undefined;
  version: string | undefined;
  /** It could not be started, or ended at once. */
  failedToStart?: boolean;
}

interface SessionOptions {
  wire: Wire;
  generation: Generation;
  onStatus: (change: StatusChange) => void;
  /** The time of day. */
  clock: () => Date;
  monotonic: MonotonicClock;
}

/** Empty text and zero are the absence of a value in protobuf. */
const statusIn = ({ agentId, status, listenPort, version }: StateChange): StatusChange | undefined => {
  const agentStatus = statusOf(status);
  if (agentStatus === undefined || agentStatus === 'unknown') return undefined;
  const port = listenPort > 0 && listenPort <= 65_535 ? listenPort : undefined;
  // As reports accept it: a version is a short text of one line.
  const text = /^[ -~]{1,64}$/.test(version) ? version : undefined;
  const change = { agentId: plainId(agentId), status: agentStatus, listenPort: port, version: text };
  return status === INITIALIZATION_ERROR ? { ...change, failedToStart: true } : change;
};

/** An admitted stream: answers the requests of the agent process, and sends it ours. */
export class Session {
  readonly #options: SessionOptions;
  /** Our requests without a reply so far, by id. */
  readonly #requests = new Map<number, { expected: 'pong' | 'setState'; finish: (isAnswered: boolean) => void }>();
  #lastId = 0;
  #missed = 0;
  #tokens = BURST;
  #refilledAt: number;
  #isEnded = false;
  #heardAt: number;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#refilledAt = options.monotonic.now();
    this.#heardAt = this.#refilledAt;
  }

  /** The last sign of life of the agent process, by the monotonic clock: now, unless it did not answer a ping. */
  get lastSignAt(): number {
    return this.#missed > 0 ? this.#heardAt : this.#options.monotonic.now();
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** @throws StreamFault for input that ends the stream. */
  receive(frame: Frame): void {
    if (this.#isEnded) return;
    this.#heardAt = this.#options.monotonic.now();
    this.#takeToken();
    if (frame.kind === 'dropped') this.#send(frame.id, { case: 'qanCollect', value: {} });
    else this.#answer(this.#read(frame.bytes));
  }

  #read(bytes: Buffer): AgentMessage {
    try {
      return readAgentMessage(bytes);
    } catch {
      throw new StreamFault(codes.tryLater, 'A message could not be read.');
    }
  }

  #takeToken(): void {
    const now = this.#options.monotonic.now();
    const refill = ((now - this.#refilledAt) / 1000) * MESSAGES_PER_SECOND;
    this.#tokens = Math.min(BURST, this.#tokens + refill) - 1;
    this.#refilledAt = now;
    if (this.#tokens < 0) throw new StreamFault(codes.tooMuch, 'Too many messages.');
  }

  #answer({ id, status, payload }: AgentMessage): void {
    switch (payload.case) {
      case 'ping':
        this.#send(id, pong(this.#options.clock()));
        break;
      case 'stateChanged':
        this.#send(id, { case: 'stateChanged', value: {} });
        this.#report(payload.value);
        break;
      case 'qanCollect':
      case 'actionResult':
        // Acknowledged and dropped: without a reply the queue of the agent process fills.
        this.#send(id, { case: payload.case, value: {} });
        break;
      case 'pong':
      case 'setState':
        this.#finish(id, payload.case);
        break;
      case 'jobResult':
      case 'jobProgress':
        break;
      case undefined:
        // A status is the reply to a request that the agent process does not know. It is never answered again.
        if (status === undefined) this.#refuse(id);
        else this.#finish(id, undefined);
    }
  }

  #report(change: StateChange): void {
    const read = statusIn(change);
    if (read !== undefined) this.#options.onStatus(read);
  }

  #refuse(id: number): void {
    const message = 'This server does not know the request.';
    this.#write(writeServerMessage({ id, status: { code: codes.unimplemented, message } }));
  }

  #finish(id: number, payload: 'pong' | 'setState' | undefined): void {
    const request = this.#requests.get(id);
    this.#requests.delete(id);
    request?.finish(payload === request.expected);
  }

  #send(id: number, payload: ServerPayload): void {
    this.#write(writeServerMessage({ id, payload }));
  }

  #write(message: Uint8Array): void {
    if (!this.#isEnded) this.#options.wire.write(frameOf(message));
  }

  /** @returns whether the expected reply arrived in time. */
  async #ask(expected: 'pong' | 'setState', payload: ServerPayload, milliseconds: number): Promise<boolean> {
    if (this.#isEnded) return false;
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const { monotonic } = this.#options;
    const cancel = monotonic.after(milliseconds, () => this.#finish(id, undefined), { ref: false });
    this.#requests.set(id, { expected, finish: resolve });
    this.#send(id, payload);
    try {
      return await promise;
    } finally {
      cancel();
    }
  }

  /** @returns whether the agent process answered within `milliseconds`. */
  ping(milliseconds: number): Promise<boolean> {
    return this.#ask('pong', { case: 'ping', value: {} }, milliseconds);
  }

  /** Tells the agent process what to run. @returns whether it accepted that within `milliseconds`. */
  setState(state: SetState, milliseconds: number): Promise<boolean> {
    return this.#ask('setState', setState(state), milliseconds);
  }

  /** One turn of the wheel: ends the stream after several pings without an answer. */
  async keepAlive(turnMs: number): Promise<void> {
    if (await this.ping(turnMs)) this.#missed = 0;
    else if (!this.#isEnded) {
      this.#missed += 1;
      if (this.#missed >= MAX_MISSED) this.end(codes.tryLater, 'The agent did not answer pings.');
    }
  }

  end(code: number, message: string): void {
    if (this.#isEnded) return;
    this.close();
    this.#options.wire.end(code, message);
  }

  /** The stream is closed: no request is answered any more. */
  close(): void {
    this.#isEnded = true;
    for (const { finish } of this.#requests.values()) finish(false);
    this.#requests.clear();
  }
}
