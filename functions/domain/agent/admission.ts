import * as z from 'zod/mini';
import { errorSchema } from '../../../shared/http/error-schema.ts';
import { text } from '../../../shared/core/text.ts';
import { idOf, idSchema } from '../fields/common-fields.ts';

/** The most agent processes in one request. */
export const MAX_ADMISSIONS = 100;

/**
 * The most agents in one reply, so that it stays below 6 MB: an agent and its services have at most 2 kB here. The
 * agents of further hosts are left out.
 */
export const MAX_ADMITTED_AGENTS = 2000;

/** The most bytes of an Authorization header. */
const MAX_AUTHORIZATION = 1024;

/** The longest IPv6 address as text, with a zone. */
const MAX_SOURCE = 64;

const processId = idSchema.check(z.meta({ description: 'Id of the agent process (pmm_agent) that connects.' }));

const admission = z
  .strictObject({
    pmm_agent_id: processId,
    authorization: z.string().check(
      z.minLength(1),
      z.maxLength(MAX_AUTHORIZATION),
      z.meta({
        description: 'Its Authorization header, with an API key as Bearer or Basic. Neither stored nor logged.',
      }),
    ),
    source_ip: text({ max: MAX_SOURCE }).check(z.meta({ description: 'The address that it connects from.' })),
  })
  .register(z.globalRegistry, { id: 'Admission', description: 'An agent process that connects to a gateway.' });

/** Body of the admission of agent processes. */
export const admissions = z
  .strictObject({
    admissions: z
      .array(admission)
      .check(z.maxLength(MAX_ADMISSIONS), z.meta({ description: 'The agent processes that connect.' })),
  })
  .register(z.globalRegistry, { id: 'Admissions', description: 'Agent processes that connect to a gateway.' });

const admittedAgent = z
  .object({
    agent_id: idOf('agent'),
    agent_type: z.string().check(z.meta({ description: 'Its type.' })),
    disabled: z.boolean().check(z.meta({ description: 'Whether its process must not run it.' })),
    pmm_agent_id: z.optional(processId),
    insights: z
      .object({
        service_ids: z.array(idSchema).check(z.meta({ description: 'Ids of the services that it monitors.' })),
      })
      .check(z.meta({ description: 'The objects that it gives insight into.' })),
    disable_collectors: z.optional(z.array(z.string()).check(z.meta({ description: 'Names of disabled collectors.' }))),
    expose_exporter: z.optional(z.boolean().check(z.meta({ description: 'As of the agent.' }))),
  })
  .register(z.globalRegistry, { id: 'Admitted_agent', description: 'The fields of an agent that its process needs.' });

const admittedService = z
  .object({
    service_id: idOf('service'),
    service_name: z.string().check(z.meta({ description: 'Its name.' })),
    address: z.optional(z.string().check(z.meta({ description: 'Its address.' }))),
    port: z.optional(z.int().check(z.meta({ description: 'Its port.' }))),
  })
  .register(z.globalRegistry, { id: 'Admitted_service', description: 'The fields of a service that an agent needs.' });

/** The result for one agent process. */
const admissionResult = z
  .strictObject({
    status: z.int().check(
      z.meta({
        description: 'HTTP status of a report by the process with its own key: with 200 it may connect.',
      }),
    ),
    pmm_agent_id: z.optional(processId),
    node_id: z.optional(idOf('node that it runs on')),
    node_name: z.optional(z.string().check(z.meta({ description: 'Name of this node.' }))),
    agents: z.optional(
      z.array(admittedAgent).check(
        z.meta({
          description: 'The agents under the process. Absent if the reply would be too large: list them.',
        }),
      ),
    ),
    services: z.optional(
      z.array(admittedService).check(z.meta({ description: 'The services that these agents monitor.' })),
    ),
    error: z.optional(errorSchema),
  })
  .register(z.globalRegistry, { id: 'Admission_result', description: 'Result for one agent process.' });

export const admissionResults = z
  .strictObject({
    results: z
      .array(admissionResult)
      .check(z.meta({ description: 'Result for each agent process, in the order of the request.' })),
  })
  .register(z.globalRegistry, { id: 'Admission_results', description: 'Results of admissions.' });
