import type { CloudFormationCustomResourceEvent, CloudFormationCustomResourceResponse } from 'aws-lambda';
import * as z from 'zod/mini';
import { answerCloudFormation } from '../../../shared/aws/cloudformation.ts';
import { describeError, type Log } from '../../../shared/core/log.ts';
import { type ClockSource, pause, timeLimit } from '../../../shared/core/monotonic-clock.ts';
import { clientFor, connectionSchema, type ReadSecret } from './connection.ts';
import { type FleetRequest, type FleetState, provideFleet, removeFleet } from './fleet.ts';
import { type ObjectRequest, type ResourceState, provideObject, removeObject, type Requester } from './objects.ts';
import { type Existing, ownerOf } from './ownership.ts';

/** Clients of AWS. */
export interface CustomResourceOptions extends ClockSource {
  readSecret: ReadSecret;
  readFile: (bucket: string, key: string) => Promise<string>;
  log: Log;
  /** Between attempts to read a secret or a file whose permission is new; default: 5 s. */
  pauseMs?: number;
}

const fields = z.record(z.string(), z.unknown());

/** The object as JSON: CloudFormation passes numbers and booleans in properties as text. */
const objectSchema = z.object({
  kind: z.enum(['node', 'service', 'agent']),
  object: fields,
  place: z.enum(['node', 'pmm_agent', 'anywhere']),
  watchesItsNode: z.boolean(),
  force: z.boolean(),
});

const stateSchema = z.object({
  scope: z.optional(z.object({ selector: z.optional(z.string()), name_prefix: z.optional(z.string()) })),
  desired: z.object({
    nodes: z.optional(z.array(fields)),
    services: z.optional(z.array(fields)),
    agents: z.optional(z.array(fields)),
  }),
  max_removals_percent: z.optional(z.number()),
});

const existingSchema = z._default(z.enum(['refuse', 'adopt']), 'refuse');

const propertiesSchema = z.union([
  z.object({ Existing: existingSchema, Object: z.string() }),
  z.object({ Existing: existingSchema, Bucket: z.string(), Key: z.string() }),
]);

const formerSchema = z.object({ Existing: existingSchema });

/** Lambda ends a function after 15 minutes; the rest is for the cancellation and the reply. */
const MAX_FLEET_MS = 14 * 60_000;

/** A new permission takes effect within two minutes; usually within seconds. */
const ATTEMPTS = 24;

/** CloudFormation refuses a reply of more than 4 KB, of which the physical id can be 1 KB. */
const MAX_REASON_CHARACTERS = 700;

async function whenPermitted<Value>(
  read: () => Promise<Value>,
  { pauseMs = 5000, ...timed }: Pick<CustomResourceOptions, 'pauseMs' | 'monotonic'>,
): Promise<Value> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await read();
    } catch (error) {
      const isDenied = error instanceof Error && /^AccessDenied/.test(error.name);
      if (!isDenied || attempt === ATTEMPTS) throw error;
      await pause(timed, pauseMs);
    }
}

type Event = CloudFormationCustomResourceEvent;

function requesterOf(event: Event): Requester {
  const isUpdate = event.RequestType === 'Update';
  return {
    owner: ownerOf(event),
    physicalId: event.RequestType === 'Create' ? undefined : event.PhysicalResourceId,
    formerly: isUpdate ? z.parse(formerSchema, event.OldResourceProperties).Existing : undefined,
  };
}

/** Does the work of an event. @returns the object, whose physical id counts unless it was removed. */
async function perform(event: Event, options: CustomResourceOptions): Promise<ResourceState> {
  const { readSecret, readFile } = options;
  const isDelete = event.RequestType === 'Delete';
  const properties = z.parse(propertiesSchema, event.ResourceProperties);
  const connection = z.parse(connectionSchema, event.ResourceProperties);
  const client = clientFor(connection, (arn) => whenPermitted(() => readSecret(arn), options));
  const requester = requesterOf(event);
  const existing: Existing = properties.Existing;
  if ('Object' in properties) {
    const request: ObjectRequest = { ...z.parse(objectSchema, JSON.parse(properties.Object)), existing };
    if (!isDelete) return provideObject(client, request, requester);
    await removeObject(client, request, requester);
  } else {
    const { owner } = requester;
    const fleet: Omit<FleetRequest, 'state'> = { existing, owner, signal: timeLimit(options, MAX_FLEET_MS) };
    if (isDelete) await removeFleet(client, fleet);
    else {
      const { Bucket, Key } = properties;
      const text = await whenPermitted(() => readFile(Bucket, Key), options);
      const state: FleetState = z.parse(stateSchema, JSON.parse(text));
      await provideFleet(client, { ...fleet, state }, event.RequestType === 'Create');
    }
  }
  return { physicalId: `fleet/${event.LogicalResourceId}`, attributes: {} };
}

/** The id that a failure leaves: a changed one would make CloudFormation delete the object of the resource. */
const idAfterFailure = (event: Event) =>
  event.RequestType === 'Create' ? `failed/${event.LogicalResourceId}` : event.PhysicalResourceId;

/**
 * The function of all resources of a stack in the inventory. It replies to each event, also to a repeated one, with the state after
 * it. Protocol: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/crpg-ref.html
 */
export function customResource(options: CustomResourceOptions): (event: Event) => Promise<void> {
  return async (event) => {
    const { RequestType, RequestId, StackId, LogicalResourceId, ResponseURL } = event;
    const same = { RequestId, StackId, LogicalResourceId };
    let response: CloudFormationCustomResourceResponse;
    try {
      const { physicalId, attributes: Data } = await perform(event, options);
      const PhysicalResourceId = RequestType === 'Delete' ? event.PhysicalResourceId : physicalId;
      response = { ...same, Status: 'SUCCESS', PhysicalResourceId, Data };
    } catch (error) {
      options.log({
        level: 'error',
        message: 'a resource failed',
        request_type: RequestType,
        cause: describeError(error),
      });
      const Reason = (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON_CHARACTERS);
      response = { ...same, Status: 'FAILED', PhysicalResourceId: idAfterFailure(event), Reason };
    }
    await answerCloudFormation(ResponseURL, response);
  };
}
