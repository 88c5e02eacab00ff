import { exportAll } from '../clients/typescript/src/flows.ts';
import { clientFrom, lineOf } from './inventory-client.ts';

const USAGE = `Usage: npm run -s export > FILE
Writes the whole inventory as lines for an import. INVENTORY_URL and INVENTORY_KEY select the server.`;

async function main(): Promise<void> {
  if (process.argv.length > 2) throw new Error(USAGE);
  for await (const { lines } of exportAll(clientFrom(process.env)).pages())
    process.stdout.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  // A file without this line is one that was cut off.
  process.stdout.write(`${JSON.stringify({ kind: 'end', complete: true })}\n`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${lineOf(error)}\n`);
  process.exitCode = 1;
}
