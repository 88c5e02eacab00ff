import type { Item, Key } from '../../../shared/db/table.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import type { AgentPlace } from '../../domain/agent/lifecycle.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { meantByKey } from '../../store/entities/agent-natural-key.ts';
import { nameOfKey, objectKey, type ObjectKind } from '../../store/table/keys.ts';
import { checkRevision, planReplacement } from '../../store/inventory/entities.ts';
import { readObject } from '../../store/entities/get.ts';
import { type Visible, visible } from '../../store/entities/key-scope.ts';
import {
  type Agent,
  keyOf,
  notFound,
  type EntityOf,
  placeUnder,
  type Entity,
  type EntityFields,
  withoutInternalFields,
} from '../../store/entities/entity.ts';
import { type TransactionPlan, planAdd, assertUnchanged } from '../../store/inventory/transaction-plan.ts';
import type { ItemReader } from '../../store/table/read.ts';
import { planLoneRemoval } from '../../store/inventory/remove.ts';
import {
  type Conditions,
  findTarget,
  naturalKeys,
  planUpsert,
  type UpsertTarget,
  type Upsertion,
} from '../../store/inventory/upsert.ts';
import { attributeToOperation } from './attribute-error.ts';
import { conditionsOf, declaredAs, done, type Success } from './success.ts';

/** The state of an atomic batch while it is planned. */
export interface Batch {
  dependencies: Dependencies;
  plan: TransactionPlan;
  read: ItemReader;
  /** Ids by the labels of earlier operations. */
  ids: Map<string, string>;
  /** The objects of earlier operations by key: their state afterwards, and the index of the operation. */
  affected: Map<string, { index: number; after: Entity | undefined }>;
  /** The objects that earlier operations result in by natural key, with the index of the operation. */
  keys: Map<string, { index: number; stored: Entity }[]>;
}

/** A transaction may contain an item only once, and the second operation would depend on the result of the first. */
function twice(other: number): ApiError {
  return new ApiError(
    'invalidArgument',
    `Refers to the same object as operations.${other}. An atomic batch allows one operation per object.`,
  );
}

function noteAffected({ affected, keys }: Batch, index: number, entity: Entity, after: Entity | undefined): void {
  affected.set(nameOfKey(keyOf(entity)), { index, after });
  if (after === undefined) return;
  for (const { pk } of naturalKeys(after)) keys.set(pk, [...(keys.get(pk) ?? []), { index, stored: after }]);
}

export function planAddition(batch: Batch, index: number, entity: Entity): Success {
  const added = planAdd(batch.plan, entity, { attributeTo: (error) => attributeToOperation(index, error) });
  noteAffected(batch, index, added, added);
  return done(201, added);
}

/** @throws ApiError when an earlier operation concerns the object with this key. */
function checkNotAffected({ affected }: Batch, key: Key): void {
  const other = affected.get(nameOfKey(key));
  if (other !== undefined) throw twice(other.index);
}

/** The object with this id as stored. */
async function readKnownObject<Kind extends ObjectKind>(
  batch: Batch,
  kind: Kind,
  id: string,
): Promise<Visible<EntityOf<Kind>>> {
  checkNotAffected(batch, objectKey(kind, id));
  return visible(batch.plan.writeContext.scope, await readObject(batch.read, kind, id));
}

export async function planChangeOf<Kind extends ObjectKind>(
  batch: Batch,
  { index, kind, operation }: { index: number; kind: Kind; operation: { id: string; if_match?: number | undefined } },
  next: (old: EntityFields<Kind>['object']) => Item,
): Promise<Success> {
  const { plan } = batch;
  const old = await readKnownObject(batch, kind, operation.id);
  checkRevision(conditionsOf(operation).ifMatch, old);
  const changed = planReplacement(plan, old, next(withoutInternalFields(old.object)), {
    attributeTo: (error) => attributeToOperation(index, error),
  });
  if (changed === old) assertUnchanged(plan, old);
  noteAffected(batch, index, old, changed);
  return done(200, changed);
}

export async function planRemovalOf(
  batch: Batch,
  {
    index,
    kind,
    operation,
  }: { index: number; kind: ObjectKind; operation: { id: string; if_match?: number | undefined } },
): Promise<Success> {
  const old = await readKnownObject(batch, kind, operation.id);
  checkRevision(conditionsOf(operation).ifMatch, old);
  noteAffected(batch, index, old, undefined);
  planLoneRemoval(batch.plan, old, (error) => attributeToOperation(index, error));
  return { status: 204, id: operation.id };
}

/**
 * The index of the earlier operation whose object this natural key means after it; undefined when the key means the
 * stored object.
 *
 * @param old the stored object with this key.
 */
function otherMeant({ affected, keys }: Batch, { claim }: { claim: Key }, old: Entity | undefined): number | undefined {
  const made = keys.get(claim.pk) ?? [];
  const isLeft = old !== undefined && !affected.has(nameOfKey(keyOf(old)));
  // Names are unique: as long as the stored object has this one, no other object can get it.
  if (isLeft && old.kind !== 'agent') return undefined;
  const alike = [...made.map(({ stored: entity }) => entity), ...(isLeft ? [old] : [])];
  const meant =
    meantByKey(alike.flatMap((agentOrFirst) => (agentOrFirst.kind === 'agent' ? [agentOrFirst.object] : []))) ??
    alike[0]?.object;
  return made.find(({ stored: entity }) => entity.object === meant)?.index;
}

export async function planDeclaration<Kind extends ObjectKind>(
  batch: Batch,
  { index, target, conditions }: { index: number; target: UpsertTarget<Kind>; conditions: Conditions },
  upsertion: Upsertion<Kind>,
): Promise<Success> {
  const { plan, read } = batch;
  const old = await findTarget(read, target);
  const other = otherMeant(batch, target, old);
  if (other !== undefined) throw twice(other);
  if (old !== undefined) checkNotAffected(batch, keyOf(old));
  const upsertTarget = { target, old, attributeTo: (error: ApiError) => attributeToOperation(index, error) };
  const { stored, outcome } = await planUpsert(plan, upsertTarget, conditions, upsertion);
  // An upsert that changes nothing becomes a ConditionCheck, so the reply of a batch describes a single point in time.
  if (outcome === 'unchanged') assertUnchanged(plan, stored);
  noteAffected(batch, index, old ?? stored, stored);
  return declaredAs({ stored, outcome });
}

/** The place of an agent: under a pmm_agent of the same batch, or under a stored one. */
export async function placeInBatch({ read, affected }: Batch, body: object): Promise<AgentPlace> {
  const { pmm_agent_id: id }: Partial<Pick<Agent, 'pmm_agent_id'>> = body;
  if (id === undefined) return {};
  const earlier = affected.get(nameOfKey(objectKey('agent', id)));
  // An earlier operation removes it.
  if (earlier !== undefined && earlier.after === undefined) throw notFound('agent', id);
  return placeUnder(earlier?.after ?? (await readObject(read, 'agent', id)));
}
