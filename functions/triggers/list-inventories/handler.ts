import * as z from 'zod/mini';
import { jsonLog } from '../../../shared/core/log.ts';
import { lazily } from '../../../shared/core/lazily.ts';
import { timeOfDay } from '../../../shared/core/time-of-day.ts';
import { openTable, type Table } from '../../../shared/db/table.ts';
import { createSecretReader } from '../../../shared/aws/secrets-manager.ts';
import { parseIdentityProviders } from '../../domain/fields/identity-providers.ts';
import { type ListDependencies, listInventories } from './list-inventories.ts';
import { listedSchema, listEnvironmentSchema } from '../../domain/records/listed-inventories.ts';

function compose(environment: NodeJS.ProcessEnv): ListDependencies {
  const { IDENTITY_PROVIDERS, INVENTORIES } = z.parse(listEnvironmentSchema, environment);
  const read = parseIdentityProviders(IDENTITY_PROVIDERS);
  if ('problems' in read) throw new Error(read.problems.join(' '));
  const readSecret = createSecretReader();
  const tables = new Map<string, Table>();
  const tableNamed = (name: string) => {
    const table = tables.get(name) ?? openTable(name, environment);
    tables.set(name, table);
    return table;
  };
  return {
    providers: read.providers.filter((provider) => provider.kind === 'oidc'),
    inventories: async () => {
      const list = z.parse(listedSchema, JSON.parse((await readSecret(INVENTORIES)).text));
      return list.map(({ table, ...inventory }) => ({ ...inventory, table: tableNamed(table) }));
    },
    clock: timeOfDay,
    log: jsonLog((line) => process.stderr.write(line)),
  };
}

const listOf = lazily(() => listInventories(compose(process.env)));

export const handler = (event: Parameters<ReturnType<typeof listOf>>[0]) => listOf()(event);
