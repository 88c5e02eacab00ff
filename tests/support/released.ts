import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gunzipSync } from 'node:zlib';
import { loadFunctions } from '../../local/gateway/functions.ts';
import { createGateway } from '../../local/gateway/gateway.ts';
import { unpackBundles } from '../deploy/release-bundles.ts';
import { functionEnvironment } from './function-environment.ts';
import type { RequestOptions, Inventory, Reply } from './inventory.ts';
import { parsedBody } from './parsed-body.ts';

/** Calls the export `handler` of a file for each line `[number, file, event]`, as Lambda does in a process of its own. */
const program = `
  import { createInterface } from 'node:readline';
  for await (const line of createInterface({ input: process.stdin })) {
    const [number, file, event] = JSON.parse(line);
    const { handler } = await import(file);
    process.stdout.write(JSON.stringify([number, await handler(event, { awsRequestId: 'released' })]) + '\\n');
  }
`;

/** The last release's functions, in a separate process, on an inventory's table. */
export class ReleasedFunctions {
  private readonly folder: string;
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, (reply: any) => void>();
  private log = '';
  readonly ids: readonly string[];

  private constructor(folder: string, ids: readonly string[], child: ChildProcess) {
    this.folder = folder;
    this.ids = ids;
    this.child = child;
    // The log, which ends with the reason when the process ends.
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.log = text));
    // One listener for each call.
    child.setMaxListeners(0);
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const [number, reply] = JSON.parse(line) as [number, unknown];
      this.waiting.get(number)?.(reply);
    });
  }

  static async start(inventory: Inventory): Promise<ReleasedFunctions> {
    const folder = await mkdtemp(join(tmpdir(), 'released-'));
    const ids = await unpackBundles(folder);
    const env = { ...(await functionEnvironment(inventory)), AWS_SESSION_TOKEN: 'local' };
    const command = ['--input-type=module', '-e', program];
    const child = spawn(process.execPath, command, { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
    return new ReleasedFunctions(folder, ids, child);
  }

  private invoke(id: string, event: unknown): Promise<any> {
    const number = this.waiting.size;
    this.child.stdin!.write(`${JSON.stringify([number, join(this.folder, id, 'index.mjs'), event])}\n`);
    return new Promise((resolve, reject) => {
      this.waiting.set(number, resolve);
      this.child.once('close', () =>
        reject(new Error(`The functions of the last release ended at ${id}: ${this.log}`)),
      );
    });
  }

  /** Requests to these functions by way of the present gateway, with the keys of the inventory. */
  async requests({
    dependencies,
    keys,
  }: Inventory): Promise<(method: string, path: string, call?: RequestOptions) => Promise<Reply>> {
    const present = await loadFunctions({ ...dependencies, pmmCompatibility: false });
    const gateway = createGateway({
      ...present,
      endpoints: present.endpoints.filter(({ id }) => this.ids.includes(id)),
      handlers: new Map(this.ids.map((id) => [id, (event) => this.invoke(id, event)])),
      authorizer: (event) => this.invoke('authorizer', event),
      catchAll: (event) => this.invoke('catchAll', event),
    });
    return async (method, path, { body, headers = {}, as = 'Admin' } = {}) => {
      const all = { Authorization: `Bearer ${keys[as ?? 'Admin']}`, 'Content-Type': 'application/json', ...headers };
      const answer = await gateway({
        method,
        url: path,
        rawHeaders: Object.entries(all).flat(),
        body: body === undefined ? '' : JSON.stringify(body),
        sourceIp: '127.0.0.1',
      });
      const text = typeof answer.body === 'string' ? answer.body : gunzipSync(answer.body).toString();
      const { headers: received } = answer;
      return { status: answer.statusCode, headers: received, body: parsedBody(received['Content-Type'], text), text };
    };
  }

  async stop(): Promise<void> {
    this.child.stdin!.end();
    if (this.child.exitCode === null) await once(this.child, 'close');
    await rm(this.folder, { recursive: true, force: true });
  }
}
