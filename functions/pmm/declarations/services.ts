import { type ServiceType, serviceTypes, serviceTypeTable } from '../../domain/service/types.ts';
import { type Field, field, inReply, notInChange } from './field.ts';
import type { TypeDeclaration } from './nodes.ts';

const onlyAdd = (name: string, type: Field['type']) => notInChange(field(name, type));

/** The fields of PMM for our options; an option without an entry is unknown to PMM. */
const optionFields: Readonly<Record<string, Field>> = {
  address: onlyAdd('address', 'string'),
  port: onlyAdd('port', 'uint32'),
  socket: onlyAdd('socket', 'string'),
  environment: field('environment', 'string'),
  cluster: field('cluster', 'string'),
  replication_set: field('replication_set', 'string'),
  group: field('group', 'string', { change: 'external_group' }),
  database_name: inReply('database_name', 'string', 'database_name'),
  auto_discovery_limit: onlyAdd('auto_discovery_limit', 'int32'),
  version: inReply('version', 'string', 'version'),
};

function declared(type: ServiceType, title: string): TypeDeclaration {
  const options: readonly string[] = serviceTypeTable[type].options;
  const fields = [
    inReply('service_id', 'service_id', 'service_id'),
    notInChange(field('service_name', 'string', { isRequired: true })),
    notInChange(field('node_id', 'node_id', { native: 'node_ids', isFirst: true, isRequired: true })),
    ...options.flatMap((name) => optionFields[name] ?? []),
    field('custom_labels', 'labels'),
    ...(type === 'mysql' ? [inReply('extra_dsn_params', 'map')] : []),
  ];
  return { title, fields };
}

export const serviceDeclarations: Readonly<Record<ServiceType, TypeDeclaration>> = {
  mysql: declared('mysql', 'MySQL'),
  mongodb: declared('mongodb', 'MongoDB'),
  postgresql: declared('postgresql', 'PostgreSQL'),
  proxysql: declared('proxysql', 'ProxySQL'),
  haproxy: declared('haproxy', 'HAProxy'),
  valkey: declared('valkey', 'Valkey'),
  external: declared('external', 'External'),
};

/** All fields that a change of a service may contain, whatever its type. */
export const serviceChangeFields: readonly Field[] = [
  ...['environment', 'cluster', 'replication_set', 'group'].flatMap((name) => optionFields[name] ?? []),
  field('custom_labels', 'labels'),
];

/** Groups of replies. */
export const serviceGroups: readonly ServiceType[] = serviceTypes;
