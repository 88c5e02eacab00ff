import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import type { RecordKind } from '../../domain/records/change.ts';
import { type Change, toRecord } from '../../store/history/change-record.ts';
import { toAuditEntryReply } from '../../replies/audit-entry.ts';
import { toChangeReply } from '../../replies/change.ts';
import { toAccessEvent } from '../../store/audit/access-events.ts';
import { toRefusals } from '../../store/audit/refusals.ts';
import { REFUSALS_PARTITION } from '../../store/table/keys.ts';

/** The event source, which rules match. */
export const EVENT_SOURCE = 'monitoring-inventory';

/** https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html */
const MAX_ENTRIES = 10;

/** The limit for all entries of a call is 256 KB. The rest is for what counts besides the detail. */
const MAX_CALL_BYTES = 240_000;

type Send = (entries: PutEventsRequestEntry[]) => Promise<{ ErrorCode?: string | undefined }[]>;

/** Strings and numbers. */
const attributes = z.record(z.string(), z.union([z.object({ S: z.string() }), z.object({ N: z.string() })]));

/** Of an entry of the audit that is no change, whose values can be nested. None is binary. */
const anyAttributes = z.record(
  z.string(),
  z.custom<AttributeValue>((value) => z.safeParse(z.looseObject({}), value).success),
);

interface Event {
  sequenceNumber: string;
  entry: PutEventsRequestEntry;
  bytes: number;
}

const capitalised = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** The object that a change concerns, and the change in words: `Node added`, `Node offline`. */
function subjectOf({ kind, id, action, after }: Change<RecordKind>): { resource: string; words: string } {
  if (kind === 'state') return { resource: `node/${id}`, words: `Node ${String(after?.['state'])}` };
  return { resource: `${kind}/${id}`, words: `${capitalised(kind)} ${action}` };
}

/**
 * The event of a change. If it is too large for an event, it contains no fields: the history of the object contains
 * them.
 */
function entryOf(change: Change<RecordKind>): PutEventsRequestEntry {
  const { before, after, ...rest } = toChangeReply(change);
  const whole = JSON.stringify({ ...rest, before, after, complete: true });
  const Detail = Buffer.byteLength(whole) <= MAX_CALL_BYTES / 2 ? whole : JSON.stringify({ ...rest, complete: false });
  const { resource, words } = subjectOf(change);
  return {
    Source: EVENT_SOURCE,
    DetailType: words,
    Resources: [resource],
    Time: new Date(change.time),
    Detail,
  };
}

/** An entry of the audit that is no change, as `GET /v1/audit` replies it. */
function auditEntryOf(item: Record<string, unknown>): PutEventsRequestEntry {
  const entry = toAuditEntryReply(
    item['pk'] === REFUSALS_PARTITION
      ? { source: 'refusals', record: toRefusals(item) }
      : { source: 'access', record: toAccessEvent(item) },
  );
  return {
    Source: EVENT_SOURCE,
    DetailType: entry.event,
    Resources: [`audit/${entry.audit_id}`],
    Time: new Date(entry.time),
    Detail: JSON.stringify(entry),
  };
}

const toEvent = (sequenceNumber: string | undefined, entry: PutEventsRequestEntry): Event[] => [
  { sequenceNumber: sequenceNumber ?? '', entry, bytes: Buffer.byteLength(entry.Detail ?? '') },
];

function eventOf({ dynamodb }: DynamoDBRecord): Event[] {
  const image = dynamodb?.NewImage;
  if (image === undefined) return [];
  const { SequenceNumber: sequenceNumber } = dynamodb ?? {};
  if (image['fields'] === undefined)
    return toEvent(sequenceNumber, auditEntryOf(unmarshall(z.parse(anyAttributes, image))));
  // In the event, which is JSON, binary values are in base64; of all attributes this is the only binary one.
  const { fields, ...others } = image;
  const item: Record<string, unknown> = unmarshall(z.parse(attributes, others));
  const change = toRecord({ ...item, fields: Buffer.from(fields.B ?? '', 'base64') });
  return toEvent(sequenceNumber, entryOf(change));
}

/** Splits the events into calls, in order. */
function callsOf(events: readonly Event[]): Event[][] {
  const calls: Event[][] = [];
  let bytes = 0;
  for (const event of events) {
    const call = calls.at(-1);
    if (call === undefined || call.length === MAX_ENTRIES || bytes + event.bytes > MAX_CALL_BYTES) {
      calls.push([event]);
      bytes = event.bytes;
    } else {
      call.push(event);
      bytes += event.bytes;
    }
  }
  return calls;
}

/**
 * Sends changes from the table's stream to EventBridge, in order. Reports the first failure to Lambda, which retries
 * from there, so that every change is sent at least once.
 */
export function publishWith(send: Send) {
  return async (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    for (const call of callsOf(event.Records.flatMap(eventOf))) {
      const results = await send(call.map(({ entry }) => entry)).catch(() => undefined);
      const failed = results === undefined ? 0 : results.findIndex(({ ErrorCode }) => ErrorCode !== undefined);
      const first = call[failed];
      if (failed !== -1 && first !== undefined)
        return { batchItemFailures: [{ itemIdentifier: first.sequenceNumber }] };
    }
    return { batchItemFailures: [] };
  };
}

/** Sends to a bus, by its ARN; to the default bus of the account if it is undefined. */
export function senderTo(bus: string | undefined, client = new EventBridgeClient()): Send {
  return async (entries) => {
    const Entries = bus === undefined ? entries : entries.map((entry) => ({ ...entry, EventBusName: bus }));
    return (await client.send(new PutEventsCommand({ Entries }))).Entries ?? [];
  };
}

let send: Send | undefined;

export const handler = publishWith((entries) => (send ??= senderTo(process.env['EVENT_BUS']))(entries));
