import * as z from 'zod/mini';
import { lazily } from '../../../shared/core/lazily.ts';
import { serviceAddress, storedAddress } from '../fields/address.ts';
import { filterText, MAX_SHORT_TEXT, shortText } from '../fields/common-fields.ts';
import type { Option } from '../fields/options.ts';
import { pathText } from '../fields/path-text.ts';
import { portSchema } from '../fields/port.ts';

/** Exporters have a working directory of their own, so a relative path leads nowhere. They run on Unix: no pipes of Windows. */
const socketPath = lazily(() =>
  pathText(MAX_SHORT_TEXT, /^\/./, 'Must be an absolute path, such as /run/mysqld/mysqld.sock.'),
);

/** A function, because most functions need none of these schemas. */
export const options = lazily(
  () =>
    ({
      address: {
        schema: serviceAddress,
        stored: storedAddress,
        description: 'Host name or IP address of the service. Requires a port. A loopback address is that of its node.',
      },
      port: { schema: portSchema, description: 'TCP port. Requires an address.' },
      socket: {
        schema: socketPath(),
        stored: shortText,
        description: 'Absolute path of a Unix socket, instead of address and port.',
      },
      environment: { schema: filterText, description: 'Environment, for example prod.' },
      cluster: { schema: filterText, description: 'Name of its cluster.' },
      replication_set: { schema: filterText, description: 'Name of its replication set.' },
      database_name: { schema: shortText, standard: 'postgres', description: 'Database to connect to first.' },
      auto_discovery_limit: {
        schema: z.int().check(z.minimum(-1), z.maximum(2 ** 31 - 1)),
        standard: 0,
        description: 'Maximum number of databases to discover; -1 disables discovery, 0 is the default of the agent.',
      },
      version: { schema: shortText, description: 'Version of the database server.' },
      group: { schema: filterText, standard: 'external', description: 'Group of external services.' },
    }) as const satisfies Record<string, Option>,
);

export type ServiceOption = keyof ReturnType<typeof options>;
