/** The table, as somebody has it who stole a backup. */
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { type Inventory, startInventory } from '../../../tests/support/inventory.ts';
import { clusterToken } from '../../../tests/support/identity-providers.ts';
import { askWith } from '../../../tests/support/log-in.ts';
import { logIn, logInByProvider, settingsFor } from '../../../tests/support/oidc-log-in.ts';
import { type OidcServer, startOidcServer } from '../../../tests/support/oidc-server.ts';
import { accepted, invited, PASSWORD } from '../../../tests/support/users.ts';
import { openRenewal } from './sealed-renewal.ts';
import { testTime } from '../../../tests/support/test-time.ts';

let provider: OidcServer;
let inventory: Inventory;
let keys: string[];
let secrets: string[];
let user: string;
let guest: string;
let texts: string[];

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

async function scan(): Promise<Record<string, unknown>[]> {
  const { table } = inventory;
  const { Items: items = [] } = await table.client.send(new ScanCommand({ TableName: table.name }));
  return items;
}

beforeAll(async () => {
  provider = await startOidcServer({ time: testTime() });
  inventory = await startInventory({ identityProviders: [await settingsFor(provider)] });
  const body = { name: 'dba', provider: 'corporate', claims: { groups: ['dba'] }, role: 'Editor' };
  await inventory.request('POST', '/v1/role-bindings', { body });
  const sessions = [await logInByProvider(inventory, provider), await logInByProvider(inventory, provider)];
  keys = sessions.map((session) => session.body.key);
  const [member, newcomer] = [await accepted(inventory), await invited(inventory)];
  [user, guest] = [member.user_name, newcomer.user_name];
  const { body: codes } = await inventory.request('POST', '/v1/device-authorizations', {
    as: null,
    body: { client_name: 'a program' },
  });
  secrets = [...keys, member.key, newcomer.invitation, codes.device_code, PASSWORD, provider.clientSecret];
  secrets.push(...Object.values(inventory.keys), await clusterToken());
  texts = [...new Set((await scan()).flatMap(textsIn))];
});
afterAll(async () => {
  await inventory.stop();
  await provider.stop();
});

test('the table contains no secret text', () => {
  expect(texts.length).toBeGreaterThan(100);
  for (const secret of secrets) expect(texts.filter((text) => text.includes(secret))).toEqual([]);
});

test('the table contains no key, password, invitation or code', async () => {
  const statuses = new Set<number>();
  for (const text of texts) {
    const proofs = [
      { method: 'session', key: text },
      { method: 'device', device_code: text },
      { method: 'password', user_name: user, password: text },
      { method: 'invitation', user_name: guest, invitation: text, new_password: PASSWORD },
    ];
    for (const proof of proofs) statuses.add((await logIn(inventory, proof)).status);
    // A header has no other characters.
    if (/^[\x21-\x7e]+$/.test(text)) statuses.add((await askWith(inventory, text, 'GET', '/v1/caller')).status);
  }
  // 400: longer than the field.
  expect([...statuses].filter((status) => status !== 400 && status !== 401)).toEqual([]);
});

test('the key of a session decrypts only the refresh token of that session', async () => {
  const renewals = (await scan()).filter((item) => typeof item['sealed'] === 'string');
  expect(renewals).toHaveLength(keys.length);
  const opened = renewals.map((item) =>
    [...keys, ...texts].filter(
      (key) => openRenewal(String(item['sealed']), key, String(item['session_id'])) !== undefined,
    ),
  );
  expect(opened.flat().toSorted()).toEqual(keys.toSorted());
  expect(opened.every((list) => list.length === 1)).toBe(true);
});
