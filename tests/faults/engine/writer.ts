/* Writes to an embedded engine, 16 writers at a time, and prints the id of each write that is acknowledged. */
import { writeSync } from 'node:fs';
import { Database } from '../../../local/engine/sqlite/database.ts';
import { openTestEngine } from '../../support/sqlite-engine.ts';

const [file, prefix, count = 'Infinity', control] = process.argv.slice(2);
// The control acknowledges what is not on the disk.
if (control !== undefined) Database.prototype.durable = () => Promise.resolve();
const { engine, call } = await openTestEngine(file);
writeSync(1, 'ready\n');
let started = 0;

/** Every third write is a transaction of three items, of which one or all are found afterwards. */
async function write(): Promise<void> {
  while (started < Number(count)) {
    started += 1;
    const id = `${prefix}-${started}`;
    const item = (sk: string) => ({ pk: id, sk, list_pk: 'all', list_sk: id, filling: 'x'.repeat(started % 3000) });
    if (started % 3 > 0) await call('PutItem', { Item: item('a') });
    else
      await call('TransactWriteItems', {
        TransactItems: ['a', 'b', 'c'].map((sk) => ({ Put: { TableName: 't', Item: item(sk) } })),
      });
    writeSync(1, `${id}\n`);
  }
}

await Promise.all(Array.from({ length: 16 }, write)).catch((error: unknown) =>
  writeSync(1, `failed ${String(error)}\n`),
);
await engine.close();
