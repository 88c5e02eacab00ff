import * as z from 'zod/mini';
import { errorSchema } from '../../../shared/http/error-schema.ts';
import { text } from '../../../shared/core/text.ts';
import { agentStatuses, statusReason } from './types.ts';
import { idSchema } from '../fields/common-fields.ts';
import { portSchema } from '../fields/port.ts';

/** The most agents in one report: far more than run on one node, and far fewer than fit into a heartbeat. */
const MAX_AGENTS = 200;

const agentId = idSchema.check(z.meta({ description: 'An agent under this agent process.' }));

const entry = z
  .strictObject({
    agent_id: agentId,
    status: z.enum(agentStatuses).check(z.meta({ description: 'Status of the agent; not `unknown`.' })),
    listen_port: z.optional(portSchema.check(z.meta({ description: 'Its current port.' }))),
    version: z.optional(text({ max: 64 }).check(z.meta({ description: 'Its version.' }))),
    status_reason: z.optional(
      statusReason().check(
        z.meta({ description: 'Reason of the status in words; without it, the last one is removed.' }),
      ),
    ),
  })
  .register(z.globalRegistry, { id: 'Reported_agent', description: 'Status of one agent.' });

/** Each agent may be in a report once, because of two statuses neither is the right one. */
function agentsDiffer<Entries extends readonly { agent_id: string }[]>() {
  return z.check<Entries>(({ value, issues }) => {
    const seen = new Set<string>();
    for (const [index, { agent_id: id }] of value.entries()) {
      const params = { reason: 'duplicate' };
      if (seen.has(id))
        issues.push({ code: 'custom', input: value, path: [index, 'agent_id'], message: 'Duplicate agent.', params });
      seen.add(id);
    }
  });
}

const entries = z
  .array(entry)
  .check(
    z.maxLength(MAX_AGENTS),
    agentsDiffer(),
    z.meta({ description: 'Agents with a new status. Other agents keep their status.' }),
  );

/** A backend notices the end of a connection within minutes. */
export const MAX_SILENT_SECONDS = 3600;

/** The fields of a report about the agent process itself. */
const ofProcess = {
  connected: z.optional(
    z.boolean().check(
      z.meta({
        description:
          'false: a backend lost its connection; it is `stale` at once. true: a new connection; always stored.',
      }),
    ),
  ),
  silent_seconds: z.optional(
    z
      .int()
      .check(
        z.minimum(0),
        z.maximum(MAX_SILENT_SECONDS),
        z.meta({ description: 'With `connected: false`: since its last sign of life.' }),
      ),
  ),
  reset: z.optional(
    z.boolean().check(
      z.meta({
        description: 'true: the process began anew; any status can follow. Default: false.',
      }),
    ),
  ),
  with_targets_hash: z.optional(
    z.boolean().check(z.meta({ description: 'true: the reply contains `targets_hash`. Default: false.' })),
  ),
};

/** Body of a report. */
export const agentReport = z
  .strictObject({ agents: entries, ...ofProcess })
  .register(z.globalRegistry, { id: 'Agent_report', description: 'Report of an agent process.' });

/** The most hosts in one request. */
export const MAX_REPORTS = 500;

const processId = idSchema.check(z.meta({ description: 'Id of the agent process (pmm_agent) of the host.' }));

const hostReport = z
  .strictObject({ pmm_agent_id: processId, agents: entries, ...ofProcess })
  .register(z.globalRegistry, { id: 'Host_report', description: 'Report of the agent process of one host.' });

/** Two reports of a host in one request would be in no order. */
function hostsDiffer<Reports extends readonly { pmm_agent_id: string }[]>() {
  return z.check<Reports>(({ value, issues }) => {
    const seen = new Set<string>();
    for (const [index, { pmm_agent_id: id }] of value.entries()) {
      const path = [index, 'pmm_agent_id'];
      const params = { reason: 'duplicate' };
      if (seen.has(id)) issues.push({ code: 'custom', input: value, path, message: 'Duplicate host.', params });
      seen.add(id);
    }
  });
}

/** Body of the reports of many hosts. */
export const hostReports = z
  .strictObject({
    reports: z
      .array(hostReport)
      .check(z.maxLength(MAX_REPORTS), hostsDiffer(), z.meta({ description: 'A report for each host.' })),
  })
  .register(z.globalRegistry, { id: 'Host_reports', description: 'Reports of many hosts.' });

/** The number of reports in a body, which may be invalid. */
export function reportsIn(body: unknown): number {
  const { data } = z.safeParse(z.object({ reports: z.array(z.unknown()) }), body);
  return Math.min(data?.reports.length ?? 1, MAX_REPORTS);
}

const refusedEntry = z
  .object({
    agent_id: agentId,
    reason: z
      .enum(['not_found', 'impossible_transition'])
      .check(
        z.meta({ description: 'Why: this process has no such agent, or the status cannot follow the current one.' }),
      ),
    message: z.string().check(z.meta({ description: 'The reason as text.' })),
  })
  .register(z.globalRegistry, { id: 'Refused_report', description: 'A refused status.' });

/** The reply to a report. */
export const takenReport = z
  .object({
    reported_at: z.iso
      .datetime()
      .check(
        z.meta({ description: 'Time of the stored report. One without news is not stored if the last is recent.' }),
      ),
    stale_at: z.iso.datetime().check(
      z.meta({
        description:
          'Time of the next report at the latest; then the node is stale. After `connected: false`, `reported_at`.',
      }),
    ),
    report_after_seconds: z
      .int()
      .check(z.minimum(1), z.meta({ description: 'Report again after this time, or at once with news.' })),
    taken: z.int().check(z.minimum(0), z.meta({ description: 'Number of agents with an accepted status.' })),
    refused: z.array(refusedEntry).check(z.meta({ description: 'The refused statuses.' })),
    targets_hash: z.optional(
      z.string().check(
        z.meta({
          description:
            'With `with_targets_hash`: the `ETag` of `GET /v1/discovery/prometheus?node=self` for this host, without `W/` and quotes.',
        }),
      ),
    ),
  })
  .register(z.globalRegistry, { id: 'Taken_report', description: 'Result of a report.' });

/** The replies to the reports of many hosts. */
export const takenReports = z
  .strictObject({
    results: z
      .array(
        z
          .strictObject({
            status: z.int().check(z.meta({ description: 'HTTP status, as of a single report.' })),
            pmm_agent_id: z.optional(processId),
            report: z.optional(takenReport),
            error: z.optional(errorSchema),
          })
          .register(z.globalRegistry, { id: 'Host_report_result', description: 'Result of the report of a host.' }),
      )
      .check(z.meta({ description: 'Result of each report, in the order of the request.' })),
  })
  .register(z.globalRegistry, { id: 'Host_report_results', description: 'Results of the reports of many hosts.' });
