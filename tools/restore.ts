import { parseArgs } from 'node:util';
import { openTable } from '../shared/db/table.ts';
import { restoreInventory } from './restore-inventory.ts';

const USAGE = `Usage: npm run restore -- --from <restored table> --to <table of the stack> [--with-keys] [--apply]
Copies nodes, services and agents of one table to the other, and removes others there; keys, accounts and secrets do not change.
With --with-keys, API keys and enrolment tokens become those of the first table, too: keys that were removed since then work again.
Without --apply, only reports the changes. Region and credentials come from the environment.`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      to: { type: 'string' },
      apply: { type: 'boolean', default: false },
      'with-keys': { type: 'boolean', default: false },
    },
  });
  const { from, to, apply, 'with-keys': withKeys } = values;
  if (from === undefined || to === undefined) throw new Error(USAGE);
  const tables = { from: openTable(from, process.env), to: openTable(to, process.env) };
  const { put, removed, same } = await restoreInventory(tables, { apply, withKeys });
  const verb = apply ? '' : 'would be ';
  process.stdout.write(`Items: ${put} ${verb}put, ${removed} ${verb}removed, ${same} identical.\n`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
