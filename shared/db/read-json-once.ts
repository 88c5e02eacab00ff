import { isRecord } from './item.ts';

/** The part of a client's protocol that reads replies. The SDK's own type of it permits no call. */
interface Protocol {
  deserializeResponse: (
    operation: unknown,
    context: { streamCollector: (body: unknown) => Promise<Uint8Array> },
    response: { statusCode: number; body: unknown },
  ) => Promise<object>;
}

const isProtocol = (value: unknown): value is Protocol =>
  typeof value === 'object' && value !== null && 'deserializeResponse' in value;

/** The type of binary attribute values in JSON. It may also be part of a text, which is harmless. */
const BINARY = '"B"';

/** Binary values become bytes, in place. Most replies contain none, and are not searched. */
function decodeBinary(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const entries: Record<string, unknown> | unknown[] = isRecord(value) ? value : Array.isArray(value) ? value : [];
  for (const [name, entry] of Object.entries(entries))
    if (name === 'B' && typeof entry === 'string') Reflect.set(value, name, Buffer.from(entry, 'base64'));
    else decodeBinary(entry);
}

/** The reply is not usable: the SDK repeats the call. */
class UnreadableReply extends Error {
  readonly $retryable = {};
}

/** @throws UnreadableReply without the text, which may contain a secret; the error of JSON.parse quotes it. */
function replyIn(bytes: Uint8Array): object {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableReply('the reply is no JSON');
  }
  if (!isRecord(value)) throw new UnreadableReply('the reply is no object');
  if (text.includes(BINARY)) decodeBinary(value);
  return value;
}

/**
 * Reads successful replies with one JSON.parse. The SDK parses the JSON, and then reads each value by the schema of the
 * operation, which gives the same values for DynamoDB: a property test compares both. Errors are read by the SDK.
 */
export function readJsonOnce(protocol: unknown): void {
  if (!isProtocol(protocol)) throw new TypeError('not a protocol');
  const readBySchema = protocol.deserializeResponse.bind(protocol);
  protocol.deserializeResponse = async (operation, context, response) => {
    if (response.statusCode !== 200) return readBySchema(operation, context, response);
    const bytes = await context.streamCollector(response.body);
    return { ...replyIn(bytes), $metadata: { httpStatusCode: response.statusCode } };
  };
}
