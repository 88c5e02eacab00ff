/** Requests that change nothing: when the table fails, no error says that a change may have been made. */
import { OutcomeUnknown, ReadFailure } from '../shared/db/contention.ts';
import { DEADLINE_MS } from '../shared/http/pipeline.ts';
import { isWrite, type Table } from '../shared/db/table.ts';
import { type Inventory, type RequestOptions, startInventory } from './support/inventory.ts';

const WARNING = 'The change may have been made. Check before you repeat it.';

/** The table of the functions, after the authorizer. */
let state: 'answers' | 'is silent' | 'refuses writes' | 'refuses all';
/** Called when the table is silent to a call. */
let onSilence: () => void;

function failing({ name, client }: Table): Table {
  const send = (command: any): Promise<any> => {
    const operation: string = command.constructor.name;
    if (state === 'answers' || (state === 'refuses writes' && !isWrite(operation))) return client.send(command);
    if (state !== 'is silent')
      return Promise.reject(isWrite(operation) ? new OutcomeUnknown('no reply') : new ReadFailure('no reply'));
    onSilence();
    return new Promise(() => undefined);
  };
  return { name, client: { send } as unknown as Table['client'] };
}

let inventory: Inventory;
beforeAll(async () => {
  state = 'answers';
  inventory = await startInventory({ table: failing, authorizerCacheSeconds: 300 });
});
afterAll(() => inventory.stop());

const node = { node_type: 'generic', node_name: 'n', address: 'a' };
const reconciliation = (mode: string) => ({
  body: { mode, scope: { name_prefix: 'n' }, desired: { nodes: [node] } },
});
const lines = {
  body: `${JSON.stringify({ kind: 'node', object: { ...node, node_id: '1b671a64-40d5-491e-99b0-da01ff1f3341' } })}\n`,
  headers: { 'Content-Type': 'application/x-ndjson' },
};

type Request = [method: string, path: string, options: RequestOptions];

const dry: Record<string, Request> = {
  'a read': ['GET', '/v1/nodes', {}],
  'a plan': ['POST', '/v1/reconcile', reconciliation('plan')],
  'a dry import': ['POST', '/v1/import?dry_run=true', lines],
  'a dry cleanup': ['POST', '/v1/cleanup', { body: { dry_run: true } }],
};
const writing: Record<string, Request> = {
  'an apply': ['POST', '/v1/reconcile', reconciliation('apply')],
  'a cleanup': ['POST', '/v1/cleanup', { body: {} }],
  'an add': ['POST', '/v1/nodes', { body: node }],
};

/** The error of a request to an inventory whose table fails in this way. */
async function errorOf([method, path, options]: Request, failure: typeof state): Promise<string> {
  state = 'answers';
  // The authorizer's reply is cached.
  await inventory.request('GET', '/v1/version');
  state = failure;
  const silent = new Promise<void>((resolve) => (onSilence = resolve));
  const reply = inventory.request(method, path, options);
  if (failure === 'is silent') {
    await silent;
    inventory.passing.advance(DEADLINE_MS);
  }
  const { status, text, body } = await reply;
  state = 'answers';
  if (status !== 503) throw new Error(`${status} ${text}`);
  return body.message;
}

test.each(Object.entries(dry))('%s', async (name, request) => {
  for (const failure of ['is silent', 'refuses all'] as const)
    expect([failure, await errorOf(request, failure)]).toEqual([
      failure,
      expect.stringMatching(/^The service is (slow|busy)\. Repeat the request later\.$/),
    ]);
  // Only a plan writes something: itself.
  if (name === 'a plan')
    expect(await errorOf(request, 'refuses writes')).toBe('The service is busy. Repeat the request later.');
});

test.each(Object.entries(writing))('%s warns', async (_, request) => {
  expect(await errorOf(request, 'is silent')).toBe(`The service is slow. ${WARNING}`);
});
