import { randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import {
  AgentToServerSchema,
  type ServerToAgent,
  ServerToAgentSchema,
} from '../../functions/opamp/protocol/generated/opamp_pb.ts';
import type { Inventory } from './inventory.ts';

export type MessageInit = Extract<MessageInitShape<typeof AgentToServerSchema>, { $typeName?: never }>;

export interface OpampReply {
  status: number;
  headers: Record<string, string>;
  message: ServerToAgent;
}

export const written = (message: MessageInit): Uint8Array =>
  toBinary(AgentToServerSchema, create(AgentToServerSchema, message));

export const newUid = (): Uint8Array => randomBytes(16);

/** The capabilities of real clients. */
export const capabilities = { extension: 0x4805n, supervisor: 0x3807n } as const;

/** A description with these attributes of texts. */
export function describedBy(identifying: Record<string, string>, others: Record<string, string> = {}) {
  const attributes = (values: Record<string, string>) =>
    Object.entries(values).map(([key, value]) => ({
      key,
      value: { value: { case: 'stringValue' as const, value } },
    }));
  return { identifyingAttributes: attributes(identifying), nonIdentifyingAttributes: attributes(others) };
}

export const collector = (hostName: string, more: Record<string, string> = {}) =>
  describedBy({ 'service.name': 'otelcol', 'service.version': '0.149.0' }, { 'host.name': hostName, ...more });

/** Sends bytes to the service as a client of OpAMP: without an Accept header. */
export async function post(
  inventory: Inventory,
  key: string,
  bytes: Uint8Array,
  { gzip = false, headers = {} }: { gzip?: boolean; headers?: Record<string, string> } = {},
): Promise<OpampReply> {
  const all = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/x-protobuf',
    ...(gzip ? { 'Content-Encoding': 'gzip' } : {}),
    ...headers,
  };
  const body = Buffer.from(gzip ? gzipSync(bytes) : bytes);
  const reply = await inventory.gateway({
    method: 'POST',
    url: '/v1/opamp',
    rawHeaders: Object.entries(all).flat(),
    body: () => Promise.resolve(body),
    sourceIp: '10.9.9.9',
  });
  const isMessage = reply.headers['Content-Type'] === 'application/x-protobuf';
  const content = isMessage && Buffer.isBuffer(reply.body) ? reply.body : new Uint8Array();
  return { status: reply.statusCode, headers: reply.headers, message: fromBinary(ServerToAgentSchema, content) };
}

/** One start of an agent: it numbers its messages. */
export class OpampAgent {
  readonly #inventory: Inventory;
  readonly #key: string;
  uid = newUid();
  sequence = 0n;
  readonly capabilities: bigint;

  constructor(inventory: Inventory, key: string, capabilityBits: bigint = capabilities.extension) {
    this.#inventory = inventory;
    this.#key = key;
    this.capabilities = capabilityBits;
  }

  send(message: MessageInit = {}, options?: Parameters<typeof post>[3]): Promise<OpampReply> {
    const sequenceNum = this.sequence;
    this.sequence += 1n;
    const whole = { instanceUid: this.uid, sequenceNum, capabilities: this.capabilities, ...message };
    return post(this.#inventory, this.#key, written(whole), options);
  }
}

/** A node with the key of its host. */
export async function enrolled(
  inventory: Inventory,
  name: string = randomUUID(),
): Promise<{ nodeId: string; key: string }> {
  const token = await inventory.request('POST', '/v1/enrolment-tokens', { body: { name: 'host' } });
  const node = { node_type: 'generic', node_name: name, address: '10.9.9.9' };
  const body = { token: token.body.token, node };
  const { body: enrolled } = await inventory.request('POST', '/v1/enrolment', { as: null, body, sourceIp: '10.9.9.9' });
  return { nodeId: enrolled.node.node_id, key: enrolled.api_key.key };
}
