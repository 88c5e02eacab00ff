import { type NodeType, nodeTypes, nodeTypeTable } from '../../domain/node/types.ts';
import { type Field, field, inReply, notInChange, required } from './field.ts';

/** A type of object in the words of PMM. */
export interface TypeDeclaration {
  /** In the names of messages and of paths of generation 2: `AddGeneric`. */
  title: string;
  /** The name in the message of an add, if it is not the type. */
  addKey?: string;
  /** The title in names of generation 2, if it is another one. */
  olderTitle?: string;
  fields: readonly Field[];
}

const all = [
  field('address', 'string', { isRequired: true }),
  field('machine_id', 'string', { isTrimmed: true }),
  field('distro', 'string'),
  field('container_id', 'string'),
  field('container_name', 'string'),
  field('node_model', 'string'),
  field('region', 'string'),
  field('az', 'string'),
];

function declared(type: NodeType, title: string, more: Partial<TypeDeclaration> = {}): TypeDeclaration {
  const { options, required: needed } = nodeTypeTable[type];
  const has = (names: readonly string[], { native }: Field) => native !== undefined && names.includes(native);
  const relevantFields = all.filter((candidate) => candidate.isRequired === true || has(options, candidate));
  const fields = [
    inReply('node_id', 'node_id', 'node_id'),
    field('node_name', 'string', { isRequired: true }),
    ...relevantFields.map((candidate) => (has(needed, candidate) ? required(candidate) : candidate)),
    field('custom_labels', 'labels'),
    ...(type === 'remote_rds' ? [inReply('instance_id', 'string', 'instance_id')] : []),
  ];
  return { title, fields: fields.map(notInChange), ...more };
}

export const nodeDeclarations: Readonly<Record<NodeType, TypeDeclaration>> = {
  generic: declared('generic', 'Generic'),
  container: declared('container', 'Container'),
  remote: declared('remote', 'Remote'),
  remote_rds: declared('remote_rds', 'RemoteRDS'),
  remote_azure_database: declared('remote_azure_database', 'RemoteAzure', {
    addKey: 'remote_azure',
    olderTitle: 'RemoteAzureDatabase',
  }),
};

/** Groups of replies, in the order of PMM. */
export const nodeGroups: readonly NodeType[] = nodeTypes;
