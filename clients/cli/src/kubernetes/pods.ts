import { desired as fieldsByType } from '../generated/objects.ts';
import { type Fields, isFields } from '../core/values.ts';

export interface DatabasePod {
  namespace: string;
  name: string;
  /** Absent until the pod has one. */
  address: string | undefined;
  type: ServiceType;
  port: number | undefined;
  cluster: string | undefined;
  replicationSet: string | undefined;
}

const serviceTypes = fieldsByType.services.types;
export type ServiceType = keyof typeof serviceTypes;

const isServiceType = (text: string): text is ServiceType => Object.hasOwn(serviceTypes, text);

/** Whether services of the type have this field. */
export const hasField = (type: ServiceType, field: string) => serviceTypes[type].some((name) => name === field);

const defaultPorts: Partial<Record<ServiceType, number>> = {
  mysql: 3306,
  mongodb: 27017,
  postgresql: 5432,
  proxysql: 6032,
  valkey: 6379,
};

/** Percona's operators by `app.kubernetes.io/managed-by`, with the components whose pods are databases. */
const operators = new Map<string | undefined, { type: ServiceType; components: readonly string[] }>([
  [
    'percona-server-mongodb-operator',
    { type: 'mongodb', components: ['mongod', 'mongos', 'cfg', 'nonVoting', 'hidden'] },
  ],
  ['percona-xtradb-cluster-operator', { type: 'mysql', components: ['pxc'] }],
  // Since 0.10 `database`, before `mysql`.
  ['percona-server-mysql-operator', { type: 'mysql', components: ['database', 'mysql'] }],
  ['percona-postgresql-operator', { type: 'postgresql', components: ['pg'] }],
]);

const fieldsIn = (value: unknown): Fields => (isFields(value) ? value : {});
const textIn = (fields: Fields, name: string) => {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** `namespace/name` of any object of Kubernetes. */
export function keyOf(object: unknown): string {
  const metadata = fieldsIn(fieldsIn(object)['metadata']);
  return `${textIn(metadata, 'namespace') ?? ''}/${textIn(metadata, 'name') ?? ''}`;
}

/**
 * The database in a pod; undefined if the pod contains none or has ended. A pod that is being deleted runs until it is gone.
 *
 * @param warn receives the reason if an annotation is wrong.
 */
export function databaseIn(pod: unknown, warn: (message: string) => void): DatabasePod | undefined {
  const { metadata: meta, status: state } = fieldsIn(pod);
  const [metadata, status] = [fieldsIn(meta), fieldsIn(state)];
  const [labels, annotations] = [fieldsIn(metadata['labels']), fieldsIn(metadata['annotations'])];
  const [namespace, name] = [textIn(metadata, 'namespace'), textIn(metadata, 'name')];
  if (namespace === undefined || name === undefined) return undefined;
  const phase = textIn(status, 'phase');
  if (phase === 'Succeeded' || phase === 'Failed') return undefined;
  const operator = operators.get(textIn(labels, 'app.kubernetes.io/managed-by'));
  const component = textIn(labels, 'app.kubernetes.io/component') ?? '';
  const operatorType = operator?.components.includes(component) === true ? operator.type : undefined;
  const type = textIn(annotations, 'inventory/service-type') ?? operatorType;
  if (type === undefined) return undefined;
  const given = textIn(annotations, 'inventory/port');
  const port = given !== undefined ? Number(given) : isServiceType(type) ? defaultPorts[type] : undefined;
  const isPort = port === undefined || (Number.isInteger(port) && port > 0 && port < 65_536);
  if (!isServiceType(type) || !isPort) {
    const [annotation, value] = isPort ? ['service-type', type] : ['port', given];
    warn(`${namespace}/${name}: the annotation inventory/${annotation} is wrong: ${value}`);
    return undefined;
  }
  return {
    namespace,
    name,
    address: textIn(status, 'podIP'),
    type,
    port,
    cluster: textIn(labels, 'app.kubernetes.io/instance'),
    replicationSet: textIn(labels, 'app.kubernetes.io/replset'),
  };
}
