import type { ServiceOption } from './options.ts';

const endpointOptions = ['address', 'port', 'socket'] as const;
const placeInTopology = ['environment', 'cluster', 'replication_set'] as const;
const database = [...endpointOptions, ...placeInTopology, 'version'] as const;

export const serviceTypeTable = {
  mysql: { description: 'MySQL, MariaDB or Percona Server.', options: database },
  mongodb: { description: 'MongoDB.', options: database },
  postgresql: { description: 'PostgreSQL.', options: [...database, 'database_name', 'auto_discovery_limit'] },
  proxysql: { description: 'ProxySQL.', options: database },
  haproxy: { description: 'HAProxy.', options: placeInTopology },
  valkey: { description: 'Valkey or Redis.', options: database },
  external: { description: 'Any other service that exposes metrics.', options: [...placeInTopology, 'group'] },
} as const satisfies Record<string, { description: string; options: readonly ServiceOption[] }>;

export const serviceTypes = ['mysql', 'mongodb', 'postgresql', 'proxysql', 'haproxy', 'valkey', 'external'] as const;

export type ServiceType = (typeof serviceTypes)[number];
