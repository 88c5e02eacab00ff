import * as z from 'zod/mini';
import { openEnum } from '../../domain/fields/open-enum.ts';
import { lazily } from '../../../shared/core/lazily.ts';
import { agentStatuses, agentTypes } from '../../domain/agent/types.ts';
import { nodeTypes } from '../../domain/node/types.ts';
import { serviceTypes } from '../../domain/service/types.ts';

const record = lazily(() => ({
  custom_labels: z.record(z.string(), z.string()),
  created_at: z.string(),
  updated_at: z.string(),
  revision: z.int(),
  /** The id of the last change of the object: its history begins there. Not part of replies. */
  last_change: z.optional(z.string()),
  /** A forced removal in several transactions has begun: no dependants may be added. */
  removing: z.optional(z.literal(true)),
  /** The owner label, if the object has more custom labels than are indexed: this one is indexed first. */
  owner_label: z.optional(z.string()),
}));

/** The fields of a node that the store reads; it does not check the others. The same holds for services and agents. */
export const storedNode = lazily(() =>
  z.object({
    node_id: z.string(),
    node_type: openEnum(nodeTypes),
    node_name: z.string(),
    address: z.string(),
    region: z.optional(z.string()),
    container_id: z.optional(z.string()),
    ...record(),
  }),
);

export const storedService = lazily(() =>
  z.object({
    service_id: z.string(),
    service_type: openEnum(serviceTypes),
    service_name: z.string(),
    node_ids: z.array(z.string()),
    version: z.optional(z.string()),
    ...record(),
  }),
);

export const storedAgent = lazily(() =>
  z.object({
    agent_id: z.string(),
    agent_type: openEnum(agentTypes),
    runs_on_node_id: z.optional(z.string()),
    pmm_agent_id: z.optional(z.string()),
    insights: z.object({ node_ids: z.array(z.string()), service_ids: z.array(z.string()) }),
    disabled: z.boolean(),
    status: z.optional(openEnum(agentStatuses)),
    version: z.optional(z.string()),
    /** The agent is found by its natural key, whose claims it holds. Not part of replies. */
    registered: z.optional(z.literal(true)),
    ...record(),
  }),
);
