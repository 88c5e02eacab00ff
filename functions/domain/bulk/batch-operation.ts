import * as z from 'zod/mini';
import { agentAddition, agentChange, agentOrStored } from '../agent/schema.ts';
import { nodeAddition, nodeChange, nodeOrStored } from '../node/schema.ts';
import type { ObjectKind as Kind } from '../fields/object-kind.ts';
import { idOf } from '../fields/common-fields.ts';
import { refusedFields } from '../fields/read-only-fields.ts';
import { typedUnion } from '../fields/typed-union.ts';
import { serviceAddition, serviceChange, serviceOrStored } from '../service/schema.ts';
import type { RefusedFields } from '../../../shared/core/violations.ts';

type Schema = z.ZodMiniType;

export const MAX_OPERATIONS = 500;

const label = z.string().check(
  z.regex(/^[a-zA-Z0-9_.-]{1,35}$/),
  z.meta({
    maxLength: 35,
    description:
      'Label of the object, unique in the batch. Later operations refer to the object by `$` and the label instead of its id.',
  }),
);

const ifMatch = z.optional(
  z.int().check(z.minimum(1), z.meta({ description: 'Run only if the object has this revision, like If-Match.' })),
);

const opField = <Op extends string>(op: Op) =>
  z.literal(op).check(z.meta({ description: 'The operation, by its operationId.' }));

const description = (op: string) => ({ id: `Batch_${op}`, description: `\`${op}\` as part of a batch.` });

function addOf<Op extends string, Body extends Schema>(op: Op, body: Body) {
  return z.strictObject({ op: opField(op), ref: z.optional(label), body }).register(z.globalRegistry, description(op));
}

function changeOf<Op extends string, Body extends Schema>(op: Op, what: string, body: Body) {
  return z
    .strictObject({ op: opField(op), id: idOf(what), if_match: ifMatch, body })
    .register(z.globalRegistry, description(op));
}

function removalOf<Op extends string>(op: Op, what: string) {
  const force = z._default(z.boolean().check(z.meta({ description: 'Also remove the dependent objects.' })), false);
  return z
    .strictObject({ op: opField(op), id: idOf(what), if_match: ifMatch, force })
    .register(z.globalRegistry, description(op));
}

/** The body is that of an add: it contains the name, which the separate request has in its path. */
function upsertOf<Op extends string, Body extends Schema>(op: Op, body: Body) {
  const ifNone = z
    .literal('*')
    .check(z.meta({ description: 'Run only if no such object exists, like If-None-Match.' }));
  return z
    .strictObject({
      op: opField(op),
      ref: z.optional(label),
      if_match: ifMatch,
      if_none_match: z.optional(ifNone),
      body,
    })
    .register(z.globalRegistry, description(op));
}

/** In the order of documents. */
const ops = [
  'addNode',
  'upsertNode',
  'changeNode',
  'removeNode',
  'addService',
  'upsertService',
  'changeService',
  'removeService',
  'addAgent',
  'upsertAgent',
  'changeAgent',
  'removeAgent',
] as const;

export type Op = (typeof ops)[number];

/** The kind of object of an operation, and its verb. */
export const operationTable = {
  addNode: { kind: 'node', verb: 'add' },
  upsertNode: { kind: 'node', verb: 'upsert' },
  changeNode: { kind: 'node', verb: 'change' },
  removeNode: { kind: 'node', verb: 'remove' },
  addService: { kind: 'service', verb: 'add' },
  upsertService: { kind: 'service', verb: 'upsert' },
  changeService: { kind: 'service', verb: 'change' },
  removeService: { kind: 'service', verb: 'remove' },
  addAgent: { kind: 'agent', verb: 'add' },
  upsertAgent: { kind: 'agent', verb: 'upsert' },
  changeAgent: { kind: 'agent', verb: 'change' },
  removeAgent: { kind: 'agent', verb: 'remove' },
} as const satisfies Record<Op, { kind: Kind; verb: 'add' | 'upsert' | 'change' | 'remove' }>;

const schemas = {
  addNode: () => addOf('addNode', nodeAddition),
  upsertNode: () => upsertOf('upsertNode', nodeOrStored),
  changeNode: () => changeOf('changeNode', 'node', nodeChange),
  removeNode: () => removalOf('removeNode', 'node'),
  addService: () => addOf('addService', serviceAddition),
  upsertService: () => upsertOf('upsertService', serviceOrStored),
  changeService: () => changeOf('changeService', 'service', serviceChange),
  removeService: () => removalOf('removeService', 'service'),
  addAgent: () => addOf('addAgent', agentAddition),
  upsertAgent: () => upsertOf('upsertAgent', agentOrStored),
  changeAgent: () => changeOf('changeAgent', 'agent', agentChange),
  removeAgent: () => removalOf('removeAgent', 'agent'),
} satisfies Record<Op, () => Schema>;

/** An operation of a batch: it has the name and the body of the operation of the API. */
export const operationSchema = /* @__PURE__ */ typedUnion('op', ops, (op) => schemas[op](), {
  id: 'Batch_operation',
  description: 'An operation of a batch.',
});

export type Operation = z.output<typeof operationSchema>;

/** The number of operations in a body, which may be invalid. */
export function operationsIn(body: unknown): number {
  const { data } = z.safeParse(z.object({ operations: z.array(z.unknown()) }), body);
  return Math.min(data?.operations.length ?? 1, MAX_OPERATIONS);
}

const refused: Readonly<Record<string, RefusedFields>> = refusedFields;

/** The fields that the body of an operation does not accept; `path` is the path of the body. */
export function refusedInBatch(path: readonly PropertyKey[], body: unknown): RefusedFields {
  const [, index, part] = path;
  if (path.length !== 3 || part !== 'body' || typeof index !== 'number') return {};
  const { data } = z.safeParse(z.object({ operations: z.array(z.object({ op: z.string() })) }), body);
  return refused[data?.operations[index]?.op ?? ''] ?? {};
}

// References ----------------------------------------------------------------------------------------------------------

const ids = z.optional(z.nullable(z.array(z.string())));

/** The fields of bodies that contain ids of other objects. */
const referring = z.object({
  node_ids: ids,
  runs_on_node_id: z.optional(z.string()),
  pmm_agent_id: z.optional(z.string()),
  insights: z.optional(z.nullable(z.object({ node_ids: ids, service_ids: ids }))),
});

export interface Reference {
  /** The path within the operation. */
  path: readonly (string | number)[];
  kind: Kind;
  /** An id, or `$` and a label. */
  text: string;
}

function eachOf(kind: Kind, path: readonly string[], texts: readonly string[] | null | undefined): Reference[] {
  return (texts ?? []).map((text, index) => ({ path: [...path, index], kind, text }));
}

/** All ids in the operation, with the required kind of their objects. */
export function referencesOf(operation: Operation): Reference[] {
  const { kind } = operationTable[operation.op];
  const objectId = 'id' in operation ? [{ path: ['id'], kind, text: operation.id }] : [];
  if (!('body' in operation)) return objectId;
  const { node_ids, runs_on_node_id: nodeId, pmm_agent_id: parentId, insights } = z.parse(referring, operation.body);
  return [
    ...objectId,
    ...eachOf('node', ['body', 'node_ids'], node_ids),
    ...(nodeId === undefined ? [] : [{ path: ['body', 'runs_on_node_id'], kind: 'node', text: nodeId } as const]),
    ...(parentId === undefined ? [] : [{ path: ['body', 'pmm_agent_id'], kind: 'agent', text: parentId } as const]),
    ...eachOf('node', ['body', 'insights', 'node_ids'], insights?.node_ids),
    ...eachOf('service', ['body', 'insights', 'service_ids'], insights?.service_ids),
  ];
}

/** The label in a reference; undefined for an id, which never begins with `$`. */
export function labelIn(text: string): string | undefined {
  return text.startsWith('$') ? text.slice(1) : undefined;
}

/** Replaces the labels in the operation by ids. */
export function resolveReferences(operation: Operation, idOfLabel: (label: string) => string): void {
  const resolve = (text: string) => {
    const batchLabel = labelIn(text);
    return batchLabel === undefined ? text : idOfLabel(batchLabel);
  };
  if ('id' in operation) operation.id = resolve(operation.id);
  if (!('body' in operation)) return;
  const { node_ids, runs_on_node_id: nodeId, pmm_agent_id: parentId, insights } = z.parse(referring, operation.body);
  const list = (name: string, texts: readonly string[] | null | undefined) =>
    texts === undefined ? {} : { [name]: texts === null ? null : texts.map(resolve) };
  Object.assign(
    operation.body,
    list('node_ids', node_ids),
    nodeId === undefined ? {} : { runs_on_node_id: resolve(nodeId) },
    parentId === undefined ? {} : { pmm_agent_id: resolve(parentId) },
    insights === undefined || insights === null
      ? {}
      : { insights: { ...list('node_ids', insights.node_ids), ...list('service_ids', insights.service_ids) } },
  );
}

/** A forced removal removes dependants as well, which may exceed the limits of a transaction. */
export function atomicWithoutForce<Batch extends { atomic: boolean; operations: readonly Operation[] }>() {
  return z.check<Batch>(({ value, issues }) => {
    if (!value.atomic) return;
    for (const [index, operation] of value.operations.entries())
      if ('force' in operation && operation.force)
        issues.push({
          code: 'custom',
          input: value,
          path: ['operations', index, 'force'],
          message: 'Not allowed in an atomic batch. Remove the dependent objects earlier in the same batch.',
          params: { reason: 'not_allowed' },
        });
  });
}

interface BatchLabel {
  index: number;
  kind: Kind;
}

function wrongReference(
  { text, kind }: Reference,
  index: number,
  labels: ReadonlyMap<string, BatchLabel>,
): string | undefined {
  const label = labelIn(text);
  if (label === undefined) return undefined;
  const operation = labels.get(label);
  if (operation === undefined) return 'No operation of the batch has this label.';
  if (operation.index >= index) return 'Must refer to an earlier operation.';
  return operation.kind === kind ? undefined : `Must be the label of a ${kind}.`;
}

/** Labels are unique, and every reference is to an earlier operation about an object of the required kind. */
export function labelsFit<List extends readonly Operation[]>() {
  return z.check<List>(({ value, issues }) => {
    const labels = new Map<string, BatchLabel>();
    const refuse = (path: (string | number)[], reason: string, message: string) =>
      issues.push({ code: 'custom', input: value, path, message, params: { reason } });
    for (const [index, operation] of value.entries()) {
      if (!('ref' in operation) || operation.ref === undefined) continue;
      if (labels.has(operation.ref)) refuse([index, 'ref'], 'duplicate', 'Another operation has this label.');
      else labels.set(operation.ref, { index, kind: operationTable[operation.op].kind });
    }
    for (const [index, operation] of value.entries())
      for (const reference of referencesOf(operation)) {
        const message = wrongReference(reference, index, labels);
        if (message !== undefined) refuse([index, ...reference.path], 'invalid_reference', message);
      }
  });
}
