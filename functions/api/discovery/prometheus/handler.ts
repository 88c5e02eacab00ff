import { matchesSelector } from '../../../../shared/selector/matches-selector.ts';
import { parseSelector } from '../../../../shared/selector/parse-selector.ts';
import { isInNetwork, type IpAddress, type Network } from '../../../../shared/net/network.ts';
import { networksOf } from '../../../domain/fields/address.ts';
import { parseShard } from '../../../domain/discovery/shard.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { readAgentsWithTargets } from '../../../store/lists/agents-with-targets.ts';
import { listeningTypes, targetOf } from '../scrape-target.ts';
import { endpoint } from './endpoint.ts';

const isInOneOf = (networks: readonly (Network | undefined)[], ip: IpAddress | undefined) =>
  ip !== undefined && networks.some((network) => network !== undefined && isInNetwork(ip, network));

export const { handler, handlerWith } = createEndpointFunction(
  endpoint,
  async ({ query: { selector, networks, shard } }, { table }) => {
    const requirements = selector === undefined ? [] : parseSelector(selector);
    // Requirements on the type restrict the agents that are read.
    const ofType = requirements.filter(({ label }) => label === 'agent_type');
    const types = listeningTypes.filter((type) => matchesSelector(ofType, () => type));
    const context = await readAgentsWithTargets(table, types, shard === undefined ? undefined : parseShard(shard));
    const targets = context.agents.flatMap((agent) => targetOf(agent, context) ?? []);
    const within = networks === undefined ? undefined : networksOf(networks);
    return {
      body: targets
        .filter(({ valueOf }) => matchesSelector(requirements, valueOf))
        .filter(({ ip }) => within === undefined || isInOneOf(within, ip))
        .map(({ group }) => group),
    };
  },
);
