import * as z from 'zod/mini';
import { agentTypes } from '../../functions/domain/agent/types.ts';

/** The fields of an agent that determine what its agent process runs. */
export const desiredAgentSchema = z.object({
  agent_id: z.string(),
  /** A type of a later version than this one is skipped. */
  agent_type: z.union([z.enum(agentTypes), z.string()]),
  disabled: z.boolean(),
  pmm_agent_id: z.optional(z.string()),
  runs_on_node_id: z.optional(z.string()),
  insights: z.object({ service_ids: z.array(z.string()) }),
  disable_collectors: z.optional(z.array(z.string())),
  expose_exporter: z.optional(z.boolean()),
});

export type DesiredAgent = z.output<typeof desiredAgentSchema>;

/** The fields of a service that its exporters get. */
export const desiredServiceSchema = z.object({
  service_id: z.string(),
  service_name: z.string(),
  address: z.optional(z.string()),
  port: z.optional(z.number()),
});

export type DesiredService = z.output<typeof desiredServiceSchema>;
