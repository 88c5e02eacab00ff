import { fromBinary } from '@bufbuild/protobuf';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { type ServerToAgent, ServerToAgentSchema } from '../../functions/opamp/protocol/generated/opamp_pb.ts';
import { capabilities, type MessageInit, newUid, written } from './opamp.ts';

/** The refusal of a connection. */
export class RefusedSocket extends Error {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;

  constructor(status: number, headers: RefusedSocket['headers'], body: string) {
    super(body);
    this.status = status;
    this.headers = headers;
  }
}

export interface OpampSocketOptions {
  /** `wss://localhost:8443`, or without TLS. */
  base: string;
  authorization?: string | undefined;
  headers?: Record<string, string>;
  path?: string;
  capabilities?: bigint;
  /** Whether it answers pings. */
  autoPong?: boolean;
}

/** An agent that speaks OpAMP on a WebSocket. Numbers its messages. */
export class OpampSocket {
  readonly websocket: WebSocket;
  uid = newUid();
  sequence = 0n;
  readonly replies: ServerToAgent[] = [];
  /** The code and the reason of the end of the connection. */
  readonly closed: Promise<[code: number, reason: string]>;
  readonly #capabilities: bigint;
  #read = 0;

  private constructor(websocket: WebSocket, capabilityBits: bigint) {
    this.websocket = websocket;
    this.#capabilities = capabilityBits;
    this.closed = once(websocket, 'close').then(([code, reason]) => [Number(code), String(reason)]);
    websocket.on('message', (data) => {
      if (data[0] !== 0) throw new Error('a frame without its header');
      this.replies.push(fromBinary(ServerToAgentSchema, data.subarray(1)));
    });
    websocket.on('error', () => undefined);
  }

  /** @throws RefusedSocket */
  static async connect(options: OpampSocketOptions): Promise<OpampSocket> {
    const { base, authorization, headers = {}, path = '/v1/opamp', autoPong = true } = options;
    const websocket = new WebSocket(`${base}${path}`, {
      headers: { ...headers, ...(authorization === undefined ? {} : { Authorization: authorization }) },
      rejectUnauthorized: false,
      autoPong,
    });
    const refused = new Promise<never>((_, reject) => {
      websocket.on('error', reject);
      websocket.on('unexpected-response', (_request, response: IncomingMessage) => {
        void text(response).then((body) => reject(new RefusedSocket(response.statusCode ?? 0, response.headers, body)));
      });
    });
    await Promise.race([once(websocket, 'open'), refused]);
    return new OpampSocket(websocket, options.capabilities ?? capabilities.extension);
  }

  /** Sends a message. */
  send(message: MessageInit = {}): void {
    this.sendFrame(this.frame(message));
  }

  /** The frame of its next message. */
  frame(message: MessageInit = {}): Buffer {
    const sequenceNum = this.sequence;
    this.sequence += 1n;
    const whole = { instanceUid: this.uid, sequenceNum, capabilities: this.#capabilities, ...message };
    return Buffer.concat([Buffer.alloc(1), written(whole)]);
  }

  sendFrame(frame: Uint8Array | string): void {
    this.websocket.send(frame);
  }

  /** The next reply. @throws Error if the connection ends before. */
  async next(): Promise<ServerToAgent> {
    for (;;) {
      const reply = this.replies[this.#read];
      if (reply !== undefined) {
        this.#read += 1;
        return reply;
      }
      const ended = this.closed.then(([code, reason]) => Promise.reject(new Error(`closed: ${code} ${reason}`)));
      await Promise.race([once(this.websocket, 'message'), ended]);
    }
  }

  async ask(message: MessageInit = {}): Promise<ServerToAgent> {
    this.send(message);
    return this.next();
  }

  close(): void {
    this.websocket.terminate();
  }
}
