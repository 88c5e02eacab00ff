import type { AgentStatus, AgentType, ShownStatus } from './types.ts';

const NO_ANALYTICS = 'Query analytics are not started: this service stores no data of queries.';

/** The types that the gateway never starts, with the reason that it reports. */
export const neverStarted: Readonly<Partial<Record<AgentType, string>>> = {
  vm_agent: 'This service takes no metrics. Start vmagent on the host with a configuration of its own.',
  nomad_agent: 'This service runs no jobs.',
  rds_exporter: 'Needs a role or keys of AWS, which this service does not know. Start it without pmm-agent.',
  azure_database_exporter: 'Needs credentials of Azure, which this service does not know. Start it without pmm-agent.',
  qan_mysql_perfschema_agent: NO_ANALYTICS,
  qan_mysql_slowlog_agent: NO_ANALYTICS,
  qan_mongodb_profiler_agent: NO_ANALYTICS,
  qan_mongodb_mongolog_agent: NO_ANALYTICS,
  qan_postgresql_pgstatements_agent: NO_ANALYTICS,
  qan_postgresql_pgstatmonitor_agent: NO_ANALYTICS,
  rta_mongodb_agent: NO_ANALYTICS,
  rta_mysql_agent: NO_ANALYTICS,
};

/** The reason for which agents of a type are never started; undefined: they are, or the type is of a later version. */
export const reasonNotStarted = (type: string): string | undefined =>
  Object.entries(neverStarted).find(([name]) => name === type)?.[1];

/** An agent that waits for the reason of its type waits for good: the gateway never starts it. */
export const shownStatus = (type: string, status: AgentStatus, reason: string | undefined): ShownStatus =>
  status === 'waiting' && reason !== undefined && reason === reasonNotStarted(type) ? 'not_supported' : status;
