import * as z from 'zod/mini';
import { serviceAddress, storedAddress } from '../fields/address.ts';
import { facetText, shortText } from '../fields/common-fields.ts';
import type { Option } from '../fields/options.ts';
import { portSchema } from '../fields/port.ts';

export const options = {
  address: {
    schema: serviceAddress,
    stored: storedAddress,
    description: 'Where it listens: host name or IP address. Goes with a port. A loopback address is that of its node.',
  },
  port: { schema: portSchema, description: 'TCP port. Goes with an address.' },
  socket: { schema: shortText, description: 'Path of a Unix socket, instead of address and port.' },
  environment: { schema: facetText, description: 'Environment, for example prod.' },
  cluster: { schema: facetText, description: 'Name of the cluster it is part of.' },
  replication_set: { schema: facetText, description: 'Name of the replication set it is part of.' },
  database_name: { schema: shortText, standard: 'postgres', description: 'Database to connect to first.' },
  auto_discovery_limit: {
    schema: z.int().check(z.minimum(-1), z.maximum(2 ** 31 - 1)),
    standard: 0,
    description: 'Up to how many databases are discovered by themselves; -1 turns it off, 0 leaves it to the agent.',
  },
  version: { schema: shortText, description: 'Version of the database server.' },
  group: { schema: facetText, standard: 'external', description: 'Group of external services it belongs to.' },
} as const satisfies Record<string, Option>;

export type ServiceOption = keyof typeof options;
