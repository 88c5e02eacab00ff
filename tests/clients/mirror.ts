/** A program that mirrors the inventory into a file, and can be killed at any time: `mirror.ts URL CERTIFICATE FILE once|follow`. */
import { readFileSync } from 'node:fs';
import { mirror } from '../../clients/typescript/src/flows.ts';
import { createClient } from '../../clients/typescript/src/index.ts';
import { fileStore, nodeFetch } from '../../clients/typescript/src/node.ts';

const [url = '', certificate = '', file = '', how] = process.argv.slice(2);
const fetch = nodeFetch({ ca: readFileSync(certificate, 'utf8') });
const client = createClient({ url, fetch, key: process.env['INVENTORY_KEY'] });
await mirror(client, { store: fileStore(file), once: how === 'once' });
