import { invalidRequest } from '../../../shared/core/errors.ts';
import type { Table } from '../../../shared/db/table.ts';
import { violations } from '../../../shared/core/violations.ts';
import * as z from 'zod/mini';
import { agentAddition } from '../../domain/agent/schema.ts';
import { nodeAddress } from '../../domain/fields/address.ts';
import { checkNewValues } from '../../domain/fields/stored-values.ts';
import { nodeAddition } from '../../domain/node/schema.ts';
import { claimOwners } from '../../store/entities/claim-owners.ts';
import { idOf, parsed } from '../../store/entities/entity.ts';
import { getVisibleObject } from '../../store/entities/get.ts';
import type { WriteContext } from '../../store/entities/write-context.ts';
import { commit } from '../../store/inventory/commit.ts';
import { planAdd, type TransactionPlan } from '../../store/inventory/transaction-plan.ts';
import { agentTarget, findTarget, planUpsert } from '../../store/inventory/upsert.ts';
import { nodeNameClaim } from '../../store/table/keys.ts';
import { readFrom } from '../../store/table/read.ts';
import { keyOfDeclared, newAgentAt } from '../../transitions/agent.ts';
import { newNode } from '../../transitions/node.ts';
import type { CollectorDescription } from '../protocol/description.ts';

interface DeclarationContext {
  table: Table;
  newId: () => string;
  writeContext: WriteContext;
}

/** A body that the service makes of an agent's attributes, checked as that of a client. */
function bodyOf<Schema extends z.core.$ZodType>(schema: Schema, value: Record<string, unknown>): z.output<Schema> {
  const result = z.safeParse(schema, value);
  if (!result.success) throw invalidRequest(violations(result.error.issues, value));
  return result.data;
}

/** The id of the node: that of the caller's key, else the one with the name in the description, which is added if it is new. */
async function planNode(
  plan: TransactionPlan,
  { nodeName, hostName }: CollectorDescription,
  { table, newId, writeContext }: DeclarationContext,
): Promise<string> {
  const { scope, now, sourceIp } = writeContext;
  if (scope !== undefined) return idOf(await getVisibleObject(table, 'node', scope, scope));
  if (nodeName === undefined) {
    const message = 'State the node: set the attribute inventory.node_name, or report host.id or host.name.';
    throw invalidRequest([{ field: 'agent_description', reason: 'required', message }]);
  }
  const claim = nodeNameClaim(nodeName);
  const owner = (await claimOwners(table, [claim])).get(claim.pk);
  if (owner !== undefined) return owner;
  // A name of a host may be no name of the DNS, such as the digits that a container is named by.
  const address =
    [hostName, sourceIp].find((candidate) => z.safeParse(nodeAddress, candidate).success) ?? hostName ?? sourceIp;
  const body = bodyOf(nodeAddition, { node_type: 'generic', node_name: nodeName, address });
  checkNewValues(nodeAddition, body);
  return idOf(planAdd(plan, parsed('node', newNode({ newId, now }, body)), { claimReadAsFree: claim }));
}

/**
 * Declares the node and the agent of a description: adds what is new, and leaves what exists as it is. One transaction.
 *
 * @returns the id of the agent.
 */
export async function declareCollector(described: CollectorDescription, context: DeclarationContext): Promise<string> {
  const { table, newId, writeContext } = context;
  const { now } = writeContext;
  const { stored } = await commit(table, writeContext, async (plan) => {
    const nodeId = await planNode(plan, described, context);
    const { collectorName } = described;
    const declared = { agent_type: 'otel_collector', runs_on_node_id: nodeId, collector_name: collectorName };
    const body = bodyOf(agentAddition, declared);
    const target = agentTarget(table, keyOfDeclared(body));
    const old = await findTarget(readFrom(table), target);
    return planUpsert(
      plan,
      { target, old },
      { ifMatch: undefined, ifNoneMatch: undefined },
      {
        add: () => newAgentAt({ newId, now }, body, {}),
        next: (agent) => ({ ...agent }),
      },
    );
  });
  return stored.object.agent_id;
}
