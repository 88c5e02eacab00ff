import * as z from 'zod/mini';
import { text } from '../../../shared/http/text.ts';
import { shortText } from '../fields/common-fields.ts';
import { group, type Option } from '../fields/options.ts';
import { portSchema } from '../fields/port.ts';

const int32 = z.int().check(z.minimum(-(2 ** 31)), z.maximum(2 ** 31 - 1));

const flag = { schema: z.boolean(), standard: false } as const;

const names = { schema: z.array(shortText).check(z.maxLength(100)), standard: [] } as const;

/** Seconds with a unit, in the format of the field: `5s`, `1.500s`. */
const durationPattern = /^[0-9]{1,9}(\.[0-9]{1,9})?s$/;

const duration = z.string().check(
  z.check(({ value, issues }) => {
    if (durationPattern.test(value)) return;
    const message = 'Must be seconds with their unit, from 0s to 999999999s, such as 5s or 1.5s.';
    issues.push({ code: 'custom', input: value, message, params: { reason: 'invalid_format' } });
  }),
  z.meta({ pattern: durationPattern.source, description: 'Seconds with their unit, such as 5s or 1.5s.' }),
);

function atLeastOneSecond({ value, issues }: z.core.ParsePayload<string>): void {
  if (Number.parseFloat(value) >= 1) return;
  issues.push({ code: 'custom', input: value, message: 'Must be at least 1s.', params: { reason: 'out_of_range' } });
}

export const options = {
  username: {
    schema: shortText,
    description: 'User name in the database. Its password is given to the agent on its host.',
  },
  listen_port: { schema: portSchema, description: 'Port on which it exposes its metrics.' },
  push_metrics: { ...flag, description: 'The agent pushes its metrics instead of being scraped.' },
  expose_exporter: { ...flag, description: 'It listens on all interfaces instead of the loopback one.' },
  log_level: { schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug']), description: 'How much it logs.' },
  disable_collectors: { ...names, description: 'Names of collectors that are switched off.' },
  metrics_resolutions: {
    ...group({ hr: duration, mr: duration, lr: duration }),
    description: 'How often metrics of high, medium and low resolution are collected, for example 5s, 10s, 60s.',
  },
  connection_timeout: { schema: duration, description: 'How long connecting to the database may take.' },
  tls: { ...flag, description: 'It connects to the database with TLS.' },
  tls_skip_verify: { ...flag, description: "It does not verify the database's certificate." },
  extra_dsn_params: {
    ...group({
      allowCleartextPasswords: shortText.check(
        z.meta({ description: 'Whether the password may go to the database as clear text.' }),
      ),
    }),
    description: 'Further parameters of the connection to MySQL.',
  },
  tablestats_group_table_limit: {
    schema: int32,
    standard: 0,
    description:
      'Table statistics are off above this number of tables; 0 is no limit, a negative number is always off.',
  },
  authentication_mechanism: { schema: shortText, description: 'Authentication mechanism of MongoDB.' },
  authentication_database: { schema: shortText, description: 'Authentication database of MongoDB.' },
  stats_collections: { ...names, description: 'Databases and collections to gather statistics of.' },
  collections_limit: {
    schema: int32,
    standard: 0,
    description: 'Above this number of collections, statistics are off.',
  },
  enable_all_collectors: { ...flag, description: 'All collectors are on.' },
  environment_variable_names: { ...names, description: 'Names of environment variables handed to the exporter.' },
  auto_discovery_limit: {
    schema: int32,
    standard: 0,
    description: 'Up to how many databases are discovered; -1 is off.',
  },
  max_exporter_connections: {
    schema: z.int().check(z.minimum(0), z.maximum(2 ** 31 - 1)),
    standard: 0,
    description: 'Most connections to the database; 0 leaves it to the exporter.',
  },
  scheme: {
    schema: z.enum(['http', 'https']),
    standard: 'http',
    description: 'Scheme under which metrics are exposed.',
  },
  metrics_path: {
    schema: text({ max: 1024 }),
    standard: '/metrics',
    description: 'Path under which metrics are exposed.',
  },
  disable_basic_metrics: { ...flag, description: 'Basic metrics are off.' },
  disable_enhanced_metrics: { ...flag, description: 'Enhanced metrics are off.' },
  aws_role_arn: { schema: shortText, description: 'Role that the exporter assumes. No secret.' },
  azure_subscription_id: { schema: shortText, description: 'Azure subscription.' },
  azure_resource_group: { schema: shortText, description: 'Azure resource group.' },
  azure_database_resource_type: {
    schema: z.enum(['mysql', 'maria', 'postgres']),
    description: 'Kind of Azure database.',
  },
  max_query_length: {
    schema: int32,
    standard: 0,
    description: 'Queries are cut at this length; 0 is the standard, -1 no limit.',
  },
  max_slowlog_file_size: {
    schema: z.int().check(z.minimum(0)),
    standard: 0,
    description: 'The slow log is rotated at this size in bytes; 0 is never.',
  },
  disable_query_examples: { ...flag, description: 'Examples of queries are not kept.' },
  disable_comments_parsing: { ...flag, description: 'Comments in queries are not read.' },
  rta_options: {
    ...group({ collect_interval: duration.check(z.check(atLeastOneSecond)) }),
    description: 'Options of real-time analytics; the interval is at least 1s.',
  },
} as const satisfies Record<string, Option>;

export type AgentOption = keyof typeof options;
