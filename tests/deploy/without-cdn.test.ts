import { basic, type Request, requestsTo } from './api.ts';
import { Cdk, type Deployment } from './cdk.ts';
import { type EmulatedAccount, openAccount } from './emulated-account.ts';
import { pathOf } from './programs.ts';

const LIMIT_MS = 1_200_000;

const program = await pathOf('ministack');

let emulated: EmulatedAccount;
let deployed: Deployment;
let request: Request;
let stage: string;

beforeAll(async () => {
  emulated = await openAccount(program);
  const cdk = new Cdk(emulated.target);
  await cdk.bootstrap();
  deployed = await cdk.deploy({ cdn: 'false' });
  stage = await emulated.stage();
  request = requestsTo(stage);
}, LIMIT_MS);

afterAll(() => (emulated as EmulatedAccount | undefined)?.stop());

test("the outputs contain the API's address with its stage", () => {
  const { BaseUrl, MachineUrl, ConsoleUrl, SwaggerUrl } = deployed.outputs;
  expect(BaseUrl).toMatch(/\/live$/);
  expect([MachineUrl, ConsoleUrl, SwaggerUrl]).toEqual([BaseUrl, `${BaseUrl!}/`, `${BaseUrl!}/swagger/`]);
});

test.each([
  ['/', 'text/html', 'Monitoring inventory'],
  ['/swagger/', 'text/html', 'api-browser'],
  ['/swagger/openapi.json', 'application/json', '"openapi"'],
])('the gateway serves the site to everybody: %s', async (path, type, part) => {
  const reply = await fetch(stage + path);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
  expect(await reply.text()).toContain(part);
  expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('the API answers requests with credentials, and refuses requests without them on every path', async () => {
  const password = await emulated.account.secret(deployed.outputs['AdminSecretArn']!);
  const as = basic('admin', password);
  expect((await request('GET', '/v1/version', { as })).status).toBe(200);
  expect((await request('GET', '/v1/nothing', { as })).status).toBe(404);
  expect((await request('GET', '/v1/nothing')).status).toBe(401);
  expect((await request('POST', '/')).status).toBe(401);
});
