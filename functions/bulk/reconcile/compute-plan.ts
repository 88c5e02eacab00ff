import type * as z from 'zod/mini';
import { ApiError } from '../../../shared/core/errors.ts';
import { newNode } from '../../transitions/node.ts';
import type { DesiredAgent, keptRequest } from '../../domain/bulk/reconcile-request.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { toEntity } from '../../store/entities/entity.ts';
import type { OwnerLimit } from '../../domain/access/owned-objects.ts';
import { checkOwner, stamped } from '../../store/entities/owner-limit.ts';
import type { ObjectKind } from '../../store/table/keys.ts';
import { claimsOf } from '../../store/entities/derived-items.ts';
import { readScopeSnapshot } from '../../store/lists/scope-snapshot.ts';
import { planReconciliation, type ReconcilePlan } from './plan/planner.ts';

type DesiredObject = Parameters<typeof checkOwner>[2];

export type ReconcileRequest = z.output<typeof keptRequest>;

/**
 * The desired objects of a caller with owners: each has one of them, as an addition would.
 *
 * @throws ApiError `permissionDenied` for an object with another owner.
 */
function ownedOnly(limit: OwnerLimit | undefined, { nodes, services, agents }: ReconcileRequest['desired']) {
  const owned =
    <Body extends DesiredObject>(kind: ObjectKind) =>
    (body: Body): Body => {
      const next = stamped(limit, kind, body);
      checkOwner(limit, kind, next);
      return next;
    };
  return {
    nodes: nodes.map(owned('node')),
    services: services.map(owned('service')),
    agents: agents.map(owned('agent')),
  };
}

/**
 * The plan for a request at this moment. Four rounds of reads (`readScopeSnapshot`), no writes.
 *
 * @param limit of the caller: objects with other owners are outside the scope.
 * @throws ApiError `permissionDenied` for a desired object with another owner.
 */
export async function planned(
  { table, clock, newId }: Dependencies,
  { scope, desired: wanted }: ReconcileRequest,
  limit: OwnerLimit | undefined,
): Promise<ReconcilePlan> {
  const now = clock();
  const desired = limit === undefined ? wanted : ownedOnly(limit, wanted);
  const agents: readonly DesiredAgent[] = desired.agents;
  const nodes = desired.nodes.map((body) => toEntity('node', newNode({ newId: () => '', now }, body)));
  const snapshot = await readScopeSnapshot(table, {
    scope,
    limit,
    nodeNames: new Set([
      ...desired.nodes.map(({ node_name: name }) => name),
      ...desired.services.flatMap(({ node_names: names }) => names),
      ...agents.flatMap(({ runs_on_node_name: name, insights }) => [
        ...(name === undefined ? [] : [name]),
        ...insights.node_names,
      ]),
    ]),
    serviceNames: new Set([
      ...desired.services.map(({ service_name: name }) => name),
      ...agents.flatMap(({ insights }) => insights.service_names),
    ]),
    claims: nodes.flatMap(claimsOf),
  });
  return planReconciliation(snapshot, desired, { newId, now });
}

const percent = (share: number) => `${Math.round(share * 1000) / 10} %`;

/**
 * @throws ApiError `failedPrecondition` when `desired` is empty: it is more likely to be a list that could not be read.
 */
export function checkNotEmpty({ desired }: ReconcileRequest, { inScope }: ReconcilePlan): void {
  if (desired.nodes.length + desired.services.length + desired.agents.length > 0 || inScope === 0) return;
  throw new ApiError(
    'failedPrecondition',
    `\`desired\` is empty but the scope contains ${inScope} objects. No changes were made. To remove them all, remove them individually.`,
  );
}

/** Why the plan must not be applied; undefined when it may be. */
export function refusalOf(
  { max_removals_percent: most }: ReconcileRequest,
  { removals, inScope }: ReconcilePlan,
): string | undefined {
  if (removals === 0 || removals * 100 <= most * inScope) return undefined;
  const share = percent(removals / inScope);
  return `${removals} of ${inScope} objects in the scope (${share}) would be removed, but max_removals_percent allows ${most} %. No changes were made.`;
}
