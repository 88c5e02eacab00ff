import { lifeOptionNames } from '../fields/liveness.ts';
import type { NodeOption } from './options.ts';

/** The options of each type of node, and the required ones. */
export const nodeTypeTable = {
  generic: {
    description: 'Bare metal or a virtual machine.',
    options: ['machine_id', 'distro', 'node_model', 'region', 'az', 'instance_id', ...lifeOptionNames],
    required: [],
  },
  container: {
    description: 'A container.',
    options: [
      'machine_id',
      'container_id',
      'container_name',
      'node_model',
      'region',
      'az',
      'instance_id',
      ...lifeOptionNames,
    ],
    required: [],
  },
  remote: {
    description: 'A machine without agents of its own.',
    options: ['node_model', 'region', 'az', ...lifeOptionNames],
    required: [],
  },
  remote_rds: {
    description: 'A managed database instance of Amazon RDS; its address is the instance identifier.',
    options: ['node_model', 'region', 'az', 'instance_id', ...lifeOptionNames],
    required: ['region'],
  },
  remote_azure_database: {
    description: 'A managed database instance of Azure.',
    options: ['node_model', 'region', 'az', ...lifeOptionNames],
    required: ['region'],
  },
} as const satisfies Record<
  string,
  { description: string; options: readonly NodeOption[]; required: readonly NodeOption[] }
>;

export const nodeTypes = [
  'generic',
  'container',
  'remote',
  'remote_rds',
  'remote_azure_database',
] as const satisfies (keyof typeof nodeTypeTable)[];

export type NodeType = (typeof nodeTypes)[number];
