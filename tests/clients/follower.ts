/**
 * A program that adds each page of changes, with its cursor, to a file of lines, and can be killed at any time:
 * `follower.ts URL CERTIFICATE FILE once|follow`. The file exists, and its last whole line contains the cursor to continue with.
 */
import { appendFileSync, readFileSync, truncateSync } from 'node:fs';
import { followChanges } from '../../clients/typescript/src/flows.ts';
import { createClient } from '../../clients/typescript/src/index.ts';
import { nodeFetch } from '../../clients/typescript/src/node.ts';

const [url = '', certificate = '', file = '', how] = process.argv.slice(2);
const fetch = nodeFetch({ ca: readFileSync(certificate, 'utf8') });
const client = createClient({ url, fetch, key: process.env['INVENTORY_KEY'] });

const content = readFileSync(file);
const length = content.lastIndexOf('\n') + 1;
// The rest is of a page that was not stored as a whole.
truncateSync(file, length);
const last = content.toString('utf8', 0, length).trimEnd().split('\n').at(-1) ?? '';
const { cursor }: { cursor: string } = JSON.parse(last);
for await (const page of followChanges(client, { since: cursor, once: how === 'once' }))
  appendFileSync(file, `${JSON.stringify(page)}\n`);
