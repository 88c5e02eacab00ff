import { inTime } from '../../../../shared/core/deadline.ts';
import { ApiError } from '../../../../shared/core/errors.ts';
import type { Table } from '../../../../shared/db/table.ts';
import { MAX_RESULT_BYTES } from '../../../../shared/http/carry.ts';
import { PreparedJson } from '../../../../shared/http/prepared-json.ts';
import { matchesSelector } from '../../../../shared/selector/matches-selector.ts';
import { parseSelector } from '../../../../shared/selector/parse-selector.ts';
import { isInNetwork, type IpAddress, type Network } from '../../../../shared/net/network.ts';
import { networksOf } from '../../../domain/fields/address.ts';
import { remedyOfOversizedList, remedyOfReading } from '../../../domain/discovery/oversized-list.ts';
import { fittingList } from '../../../domain/discovery/fitting-list.ts';
import { parseShard, type Shard } from '../../../domain/discovery/shard.ts';
import { DEFAULT_OWNER_LABEL } from '../../../domain/fields/owner-label.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import type { Scope } from '../../../store/entities/key-scope.ts';
import { readAgentsWithTargets } from '../../../store/lists/agents-with-targets.ts';
import { hostTargets, targetsText } from '../../../replies/host-targets.ts';
import { HeldObjects, maxHeldBytes, MemoryLimitError } from '../../../store/lists/held-objects.ts';
import { listeningTypes, type ScrapeTarget, targetOf, valueOfTarget } from '../../../store/lists/scrape-target.ts';
import { endpoint } from './endpoint.ts';

const SELF = 'self';

const LABELS_LEFT_OUT = 'targets lack labels because the list is too large';

const isInOneOf = (networks: readonly (Network | undefined)[], ip: IpAddress | undefined) =>
  ip !== undefined && networks.some((network) => network !== undefined && isInNetwork(ip, network));

type Requirements = ReturnType<typeof parseSelector>;

/** The share of the bytes of objects that the text of a list may have before it is known whether it fits compressed. */
const TEXT_SHARE = 1 / 8;

/** Of the 22 s of a request: the rest is for the text of the reply. */
const READ_MS = 20_000;

interface FleetQuery {
  requirements: Requirements;
  shard: Shard | undefined;
  ownerLabel: string;
  maxBytes: number;
}

/**
 * All agents, or a part of them, with what their targets are made of.
 *
 * @throws ApiError `bodyTooLarge`, `unavailable`, with the number of parts to request, when they exceed the memory or the time.
 */
async function readFleet(table: Table, { requirements, shard, ownerLabel, maxBytes }: FleetQuery) {
  // Requirements on the type restrict the agents that are read.
  const ofType = requirements.filter(({ label }) => label === 'agent_type');
  const types = listeningTypes.filter((type) => matchesSelector(ofType, () => type));
  const held = new HeldObjects({ ownerLabel, selected: requirements.map(({ label }) => label) }, maxBytes);
  try {
    return await inTime(table, READ_MS, () => readAgentsWithTargets(table, types, { requirements, shard, held }));
  } catch (error) {
    if (error instanceof MemoryLimitError) {
      const remedy = remedyOfReading(shard, error.largest);
      throw new ApiError('bodyTooLarge', `The objects of the targets exceed the memory. ${remedy}`, { cause: error });
    }
    if (error instanceof ApiError && error.fault === 'deadline')
      throw new ApiError('unavailable', `${error.message} ${remedyOfReading(shard)}`, { fault: error.fault });
    throw error;
  }
}

/**
 * The node whose targets a caller gets; undefined: all nodes.
 *
 * @throws ApiError `permissionDenied` for a confined caller that asks for another node or for all,
 *   `invalidArgument` for the own node of a caller without one.
 */
function nodeIn(node: string | undefined, scope: Scope): string | undefined {
  const nodeId = node === SELF ? scope : node;
  if (scope !== undefined && nodeId !== scope)
    throw new ApiError('permissionDenied', 'Access denied: this key is bound to one node. Add node=self.');
  if (node === SELF && scope === undefined)
    throw new ApiError('invalidArgument', 'This key is bound to no node: replace self by the id of a node.', {
      details: [{ field: 'node', reason: 'invalid_value', message: 'This key is bound to no node.' }],
    });
  return nodeId;
}

export const { handler, handlerWith } = createEndpointFunction(
  endpoint,
  async (
    { query: { node, selector, networks, shard }, caller },
    { table, log, maxBytes = maxHeldBytes(), ownerLabel = DEFAULT_OWNER_LABEL },
  ) => {
    const nodeId = nodeIn(node, caller().scope);
    const requirements = selector === undefined ? [] : parseSelector(selector);
    const matches = (target: ScrapeTarget) => matchesSelector(requirements, (label) => valueOfTarget(target, label));
    if (nodeId !== undefined) {
      const targets = await hostTargets(table, { nodeId });
      return { body: new PreparedJson(targetsText(targets.filter(matches))) };
    }
    const within = networks === undefined ? undefined : networksOf(networks);
    const part = shard === undefined ? undefined : parseShard(shard);
    const context = await readFleet(table, { requirements, shard: part, ownerLabel, maxBytes });
    const targets = context.agents.flatMap((agent) => {
      const target = targetOf(agent, context);
      const isShown = target !== undefined && matches(target) && (within === undefined || isInOneOf(within, target.ip));
      return isShown ? [{ group: target.group, bytes: target.bytes, owner: valueOfTarget(target, ownerLabel) }] : [];
    });
    const groups = targets.map(({ group }) => group);
    const owners = targets.map(({ owner }) => owner);
    const smallerBody = () => {
      const fitting = fittingList(groups, owners, MAX_RESULT_BYTES);
      const smaller = fitting?.filter((group, index) => group !== groups[index]).length;
      if (smaller !== undefined) log({ level: 'info', message: LABELS_LEFT_OUT, targets: smaller });
      return fitting;
    };
    const remedyOfSize = () => remedyOfOversizedList(groups, owners, part);
    const bytes = targets.reduce((sum, target) => sum + target.bytes, 0);
    if (bytes <= maxBytes * TEXT_SHARE) return { body: groups, smallerBody, remedyOfSize };
    const body = smallerBody();
    if (body === undefined) throw new ApiError('bodyTooLarge', `The reply exceeds the maximum size. ${remedyOfSize()}`);
    return { body };
  },
);
