import { parseArgs } from 'node:util';
import { openTable } from '../shared/db/table.ts';
import { restoreInventory } from './restore-inventory.ts';

const USAGE = `Usage: npm run restore -- --from <restored table> --to <table of the stack> [--apply]
Makes nodes, services and agents of one table equal to those of the other; keys, accounts and secrets stay.
Without --apply it only says what it would do. Region and credentials come from the environment.`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { from: { type: 'string' }, to: { type: 'string' }, apply: { type: 'boolean', default: false } },
  });
  const { from, to, apply } = values;
  if (from === undefined || to === undefined) throw new Error(USAGE);
  const { put, removed, same } = await restoreInventory({ from: openTable(from), to: openTable(to) }, { apply });
  const verb = apply ? '' : 'would be ';
  process.stdout.write(`Items: ${put} ${verb}put, ${removed} ${verb}removed, ${same} the same already.\n`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
