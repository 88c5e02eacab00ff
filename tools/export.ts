import * as z from 'zod/mini';
import { clientFrom } from './inventory-client.ts';

const USAGE = `Usage: npm run -s export > FILE
Writes the whole inventory as lines for an import. INVENTORY_URL and INVENTORY_KEY select the server.`;

const PAGE_SIZE = 1000;

const endSchema = z.object({
  kind: z.literal('end'),
  complete: z.boolean(),
  next_page_token: z.optional(z.string()),
});

async function main(): Promise<void> {
  if (process.argv.length > 2) throw new Error(USAGE);
  const client = clientFrom(process.env);
  let token = '';
  for (let page = 0; page === 0 || token !== ''; page += 1) {
    const text = await client.request('GET', `/v1/export?page_size=${PAGE_SIZE}${token}`);
    const lines = text.trimEnd().split('\n');
    const end = z.parse(endSchema, JSON.parse(lines.pop() ?? ''));
    process.stdout.write(lines.map((line) => `${line}\n`).join(''));
    token = end.next_page_token === undefined ? '' : `&page_token=${encodeURIComponent(end.next_page_token)}`;
  }
  // A file without this line is one that was cut off.
  process.stdout.write(`${JSON.stringify({ kind: 'end', complete: true })}\n`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
