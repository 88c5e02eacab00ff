import DataLoader from 'dataloader';
import { type Agent, agents, textOf } from './kinds.tsx';
import { IDS_PER_CALL, readAll } from './read-all.tsx';

export type AgentRelation = 'service_id' | 'runs_on_node_id';

/** Reads the agents that a page asks for at a time with one request. */
const loaderOf = (relation: AgentRelation, idsIn: (agent: Agent) => readonly string[]) =>
  new DataLoader<string, readonly Agent[]>(
    async (ids) => {
      const all = (await readAll(agents, { [relation]: [...new Set(ids)].join() }, { max: Infinity })) ?? [];
      return ids.map((id) => all.filter((agent) => idsIn(agent).includes(id)));
    },
    { cache: false, maxBatchSize: IDS_PER_CALL },
  );

const loaders = {
  service_id: loaderOf('service_id', ({ insights }) => insights.service_ids),
  runs_on_node_id: loaderOf('runs_on_node_id', (agent) => [textOf(agent, 'runs_on_node_id') ?? []].flat()),
};

/** The agents with this relation to an object, with their states. @throws ApiFailure */
export const agentsOf = (relation: AgentRelation, id: string): Promise<readonly Agent[]> => loaders[relation].load(id);
