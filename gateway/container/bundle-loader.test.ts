import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import { bundleContainer } from '../../infra/assets/assets.ts';
import { readBundle, signedHeaders } from './bundle-loader.ts';

const role = { AccessKeyId: 'id', SecretAccessKey: 'secret', Token: 'token' };

/** Serves credentials and one file. */
let server: Server;
let file: Buffer;
let failures: number;
let requests: IncomingMessage[];
let environment: Record<string, string>;
beforeEach(async () => {
  [file, failures, requests] = [Buffer.from('export {};'), 0, []];
  server = createServer((request, response) => {
    requests.push(request);
    if (request.url === '/role') response.end(JSON.stringify(role));
    else if (failures-- > 0) response.writeHead(503).end();
    else response.end(file);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  environment = {
    ...{ CREDENTIALS_HOST: base, AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/role', AWS_ENDPOINT_URL_S3: base },
    ...{ AWS_REGION: 'eu-west-1', BUNDLE_BUCKET: 'assets', BUNDLE_KEY: 'program.mjs' },
    BUNDLE_SHA256: createHash('sha256').update(file).digest('hex'),
  };
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test('signs as the SDK does', async () => {
  const url = new URL('https://s3.eu-west-1.amazonaws.com/assets/0123abcd.mjs');
  const now = new Date('2026-06-01T12:34:56.789Z');
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'token' };
  const signer = new SignatureV4({
    service: 's3',
    region: 'eu-west-1',
    sha256: Sha256,
    credentials,
    uriEscapePath: false,
  });
  const { headers } = await signer.sign(
    new HttpRequest({
      method: 'GET',
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      headers: { host: url.host },
    }),
    { signingDate: now },
  );
  const { host: _, ...expected } = headers;
  expect(signedHeaders(url, 'eu-west-1', role, now)).toEqual(expected);
});

test('reads the file with the role of the task, also after failures', async () => {
  failures = 2;
  expect(await readBundle(environment, 1)).toEqual(file);
  expect(requests.map(({ url }) => url)).toEqual(
    Array.from({ length: 3 }, () => ['/role', '/assets/program.mjs']).flat(),
  );
  expect(requests.at(-1)?.headers.authorization).toContain('/eu-west-1/s3/aws4_request');
});

test('refuses another file than the deployed one, and missing variables', async () => {
  file = Buffer.from('export const other = 1;');
  await expect(readBundle(environment, 1)).rejects.toThrow('not the one that was deployed');
  await expect(readBundle({ ...environment, BUNDLE_KEY: undefined }, 1)).rejects.toThrow('BUNDLE_KEY must be set.');
});

/** Runs the command of the container, with the program in a file that it reads from the bucket. */
async function runCommand(load: string, more: Record<string, string>) {
  const env = { ...environment, PATH: process.env['PATH'], ...more };
  const child = spawn(process.execPath, ['--input-type=module', '-e', load], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'close');
  while (child.exitCode === null && !output.includes('serving agents'))
    await new Promise((resolve) => setTimeout(resolve, 50));
  child.kill();
  await ended;
  return output;
}

test('the command of the container runs the bundle from memory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'container-'));
  try {
    await bundleContainer(folder);
    const [load, program] = await Promise.all(
      ['load', 'index'].map((name) => readFile(join(folder, 'agentGateway', `${name}.mjs`))),
    );
    // The definition of a task has room for it.
    expect(load!.length).toBeLessThan(8192);
    // CloudFormation would read it as a variable.
    expect(load!.toString()).not.toContain('${');
    file = program!;
    const settings = {
      BUNDLE_SHA256: createHash('sha256').update(file).digest('hex'),
      ...{ API_URL: 'https://127.0.0.1:1', KEY_SECRET_ARN: 'arn', HOST: '127.0.0.1', PORT: '0', HEALTH_PORT: '0' },
    };
    expect(await runCommand(load!.toString(), settings)).toContain('serving agents');
    expect(await runCommand(load!.toString(), { ...settings, PORT: 'x' })).toContain('PORT must be a whole number');
    const wrong = { ...settings, BUNDLE_KEY: '' };
    expect(await runCommand(load!.toString(), wrong)).toContain('BUNDLE_KEY must be set');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 120_000);
