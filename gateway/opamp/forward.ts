import { REPORT_AFTER_HEADER } from '../../functions/opamp/exchange/contract.ts';
import type { Credential } from '../relay/inventory.ts';

/** The reply of the API to a message of an agent. */
export interface OpampReply {
  status: number;
  /** The message of the protocol; undefined: the gateway of the API has replied, in `words`. */
  message: Uint8Array | undefined;
  words: string;
  /** When the next report is due. */
  reportAfterSeconds: number | undefined;
  /** When a refused message may be repeated. */
  retryAfterSeconds: number | undefined;
}

/** Sends one message with the credential of its agent: `POST /v1/opamp`. Rejects when the service cannot be reached. */
export type Forward = (message: Uint8Array, as: Credential) => Promise<OpampReply>;

export const MEDIA_TYPE = 'application/x-protobuf';

const secondsIn = (text: string | null | undefined): number | undefined =>
  text !== null && text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined;

function wordsIn(body: Buffer, status: number): string {
  try {
    const parsed: unknown = JSON.parse(body.toString());
    if (typeof parsed === 'object' && parsed !== null && 'message' in parsed && typeof parsed.message === 'string')
      return parsed.message;
  } catch {
    // A balancer or a proxy in between has replied.
  }
  return `The inventory replied with ${status}.`;
}

/** @param header the value of a header of the reply by its name. */
export function opampReplyOf(
  status: number,
  header: (name: string) => string | null | undefined,
  body: Buffer,
): OpampReply {
  const isMessage = header('Content-Type') === MEDIA_TYPE;
  return {
    status,
    message: isMessage ? body : undefined,
    words: isMessage ? '' : wordsIn(body, status),
    reportAfterSeconds: secondsIn(header(REPORT_AFTER_HEADER)),
    retryAfterSeconds: secondsIn(header('Retry-After')),
  };
}
