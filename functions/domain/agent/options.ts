import * as z from 'zod/mini';
import { lazily } from '../../../shared/core/lazily.ts';
import { text } from '../../../shared/core/text.ts';
import { shortText } from '../fields/common-fields.ts';
import { group, type Option } from '../fields/options.ts';
import { pathText } from '../fields/path-text.ts';
import { portSchema } from '../fields/port.ts';

const int32 = lazily(() => z.int().check(z.minimum(-(2 ** 31)), z.maximum(2 ** 31 - 1)));

const flag = lazily(() => ({ schema: z.boolean(), standard: false }) as const);

const names = lazily(() => ({ schema: z.array(shortText).check(z.maxLength(100)), standard: [] }) as const);

/** Seconds with a unit, in the format of the field: `5s`, `1.500s`. */
const durationPattern = /^[0-9]{1,9}(\.[0-9]{1,9})?s$/;

const duration = lazily(() =>
  z.string().check(
    z.check(({ value, issues }) => {
      if (durationPattern.test(value)) return;
      const message = 'Must be seconds with a unit, from 0s to 999999999s, such as 5s or 1.5s.';
      issues.push({ code: 'custom', input: value, message, params: { reason: 'invalid_format' } });
    }),
    z.meta({ pattern: durationPattern.source, description: 'Seconds with a unit, such as 5s or 1.5s.' }),
  ),
);

function atLeastOneSecond({ value, issues }: z.core.ParsePayload<string>): void {
  if (Number.parseFloat(value) >= 1) return;
  issues.push({ code: 'custom', input: value, message: 'Must be at least 1s.', params: { reason: 'out_of_range' } });
}

/** A second slash or a backslash would begin the name of another host. */
const metricsPath = lazily(() => pathText(1024, /^\/(?:[^/\\]|$)/, 'Must begin with exactly one slash.'));

/** Options of agents of many types. */
const commonOptions = lazily(
  () =>
    ({
      username: {
        schema: shortText,
        description: 'User name in the database. The password is configured on the host of the agent.',
      },
      listen_port: { schema: portSchema, description: 'Port of its metrics.' },
      push_metrics: { ...flag(), description: 'The agent pushes its metrics instead of being scraped.' },
      expose_exporter: { ...flag(), description: 'Listens on all interfaces instead of the loopback interface.' },
      log_level: { schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug']), description: 'Log level.' },
      disable_collectors: { ...names(), description: 'Names of disabled collectors.' },
      metrics_resolutions: {
        ...group({ hr: duration(), mr: duration(), lr: duration() }),
        description: 'Intervals of metrics of high, medium and low resolution, for example 5s, 10s, 60s.',
      },
      connection_timeout: { schema: duration(), description: 'Timeout of connections to the database.' },
      tls: { ...flag(), description: 'Uses TLS to connect to the database.' },
      tls_skip_verify: { ...flag(), description: 'Does not verify the certificate of the database.' },
      extra_dsn_params: {
        ...group({
          allowCleartextPasswords: shortText.check(
            z.meta({ description: 'Allows the password to be sent as clear text.' }),
          ),
        }),
        description: 'Further parameters of the MySQL connection.',
      },
      tablestats_group_table_limit: {
        schema: int32(),
        standard: 0,
        description: 'Maximum number of tables for table statistics; 0 is no limit, a negative number disables them.',
      },
    }) as const satisfies Record<string, Option>,
);

/** Options of agents of one type or a few. */
const specialOptions = lazily(
  () =>
    ({
      authentication_mechanism: { schema: shortText, description: 'Authentication mechanism of MongoDB.' },
      authentication_database: { schema: shortText, description: 'Authentication database of MongoDB.' },
      stats_collections: { ...names(), description: 'Databases and collections with statistics.' },
      collections_limit: {
        schema: int32(),
        standard: 0,
        description: 'Maximum number of collections for statistics.',
      },
      enable_all_collectors: { ...flag(), description: 'Enables all collectors.' },
      environment_variable_names: { ...names(), description: 'Names of environment variables passed to the exporter.' },
      auto_discovery_limit: {
        schema: int32(),
        standard: 0,
        description: 'Maximum number of discovered databases; -1 disables discovery.',
      },
      max_exporter_connections: {
        schema: z.int().check(z.minimum(0), z.maximum(2 ** 31 - 1)),
        standard: 0,
        description: 'Maximum number of connections to the database; 0 is the default of the exporter.',
      },
      scheme: {
        schema: z.enum(['http', 'https']),
        standard: 'http',
        description: 'Scheme of the metrics.',
      },
      metrics_path: {
        schema: metricsPath(),
        stored: text({ max: 1024 }),
        standard: '/metrics',
        description: 'Path of the metrics. Begins with one slash.',
      },
      collector_name: {
        schema: shortText,
        description: 'Name of the collector (`service.name`). Distinguishes the collectors of a node.',
      },
      disable_basic_metrics: { ...flag(), description: 'Disables basic metrics.' },
      disable_enhanced_metrics: { ...flag(), description: 'Disables enhanced metrics.' },
      aws_role_arn: { schema: shortText, description: 'Role that the exporter assumes. Not a secret.' },
      azure_subscription_id: { schema: shortText, description: 'Azure subscription.' },
      azure_resource_group: { schema: shortText, description: 'Azure resource group.' },
      azure_database_resource_type: {
        schema: z.enum(['mysql', 'maria', 'postgres']),
        description: 'Type of Azure database.',
      },
    }) as const satisfies Record<string, Option>,
);

/** Options of query analytics and real-time analytics. */
const analyticsOptions = lazily(
  () =>
    ({
      max_query_length: {
        schema: int32(),
        standard: 0,
        description: 'Maximum length of queries; 0 is the default, -1 no limit.',
      },
      max_slowlog_file_size: {
        schema: z.int().check(z.minimum(0)),
        standard: 0,
        description: 'Size in bytes at which the slow log is rotated; 0 is never.',
      },
      disable_query_examples: { ...flag(), description: 'Does not store examples of queries.' },
      disable_comments_parsing: { ...flag(), description: 'Ignores comments in queries.' },
      rta_options: {
        ...group({ collect_interval: duration().check(z.check(atLeastOneSecond)) }),
        description: 'Options of real-time analytics; the interval must be at least 1s.',
      },
    }) as const satisfies Record<string, Option>,
);

/** A function, because most functions need none of these schemas. */
export const options = lazily(() => ({ ...commonOptions(), ...specialOptions(), ...analyticsOptions() }));

export type AgentOption = keyof ReturnType<typeof options>;
