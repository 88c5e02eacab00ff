import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isPending, type ManualClock, manualClock, turnOfTheLoop } from '../../../../tests/support/manual-clock.ts';
import { Options } from '../core/options.ts';
import { isGone, KubernetesApi, kubernetesServer, refusalOf, statusOf } from './api.ts';

const { signal } = new AbortController();

let folder: string;
let server: Server;
let api: KubernetesApi;
let clock: ManualClock;
let tokenFile: string;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubernetes-api-'));
  tokenFile = join(folder, 'token');
  await writeFile(tokenFile, 'token-1\n');
  server = createServer((request, response) => answer(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  clock = manualClock();
  api = new KubernetesApi({ url, tokenFile, ca: undefined }, clock);
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

test('the token is read for each request, because Kubernetes replaces it', async () => {
  const seen: unknown[] = [];
  answer = (request, response) => {
    const { authorization, 'content-type': type } = request.headers;
    void text(request).then((body) => {
      seen.push([request.method, request.url, authorization, type, body]);
      response.end('{"a":1}');
    });
  };
  expect(await api.send('GET', '/api', signal)).toEqual({ a: 1 });
  await writeFile(tokenFile, 'token-2\n');
  await api.send('PUT', '/api', signal, { b: 2 });
  expect(seen).toEqual([
    ['GET', '/api', 'Bearer token-1', undefined, ''],
    ['PUT', '/api', 'Bearer token-2', 'application/json', '{"b":2}'],
  ]);
  await rm(tokenFile);
  await expect(api.send('GET', '/api', signal)).rejects.toThrow(/ENOENT/);
});

test('a refusal has the status and the words of the API server, or of what stands before it', async () => {
  const refusedWith = async (status: number, body: string) => {
    answer = (_, response) => response.writeHead(status).end(body);
    const error: any = await api.send('GET', '/api', signal).catch((reason: unknown) => reason);
    return [statusOf(error), error.message, error.exit];
  };
  const status = (code: number, message: string) => JSON.stringify({ kind: 'Status', code, message });
  expect(await refusedWith(403, status(403, 'forbidden'))).toEqual([403, 'Kubernetes: forbidden', 'denied']);
  expect(await refusedWith(401, status(401, 'Unauthorized'))).toEqual([401, 'Kubernetes: Unauthorized', 'denied']);
  expect(await refusedWith(500, status(410, 'too old'))).toEqual([410, 'Kubernetes: too old', 'failed']);
  expect(await refusedWith(300, '<html>')).toEqual([300, 'Kubernetes: status 300', 'failed']);
  expect(await refusedWith(502, '<html>')).toEqual([502, 'Kubernetes: status 502', 'failed']);
});

test('only a 410 means that a version is gone', () => {
  expect([isGone(refusalOf(410, undefined)), isGone(refusalOf(409, undefined)), isGone(new Error('410'))]).toEqual([
    ...[true, false, false],
  ]);
  expect(statusOf(new Error('no reply'))).toBeUndefined();
});

test("the events of a watch are its stream's lines, however bytes are split, without an incomplete last line", async () => {
  const events = [{ type: 'ADDED', name: 'größer' }, { type: 'BOOKMARK' }];
  const bytes = Buffer.from(`\n${events.map((event) => JSON.stringify(event)).join('\n')}\n{"type":"MODI`);
  let asked: string | undefined;
  answer = (request, response) => {
    asked = request.url;
    response.flushHeaders();
    void (async () => {
      for (const byte of bytes) {
        response.write(Buffer.of(byte));
        await turnOfTheLoop();
      }
      response.end();
    })();
  };
  const watched: unknown[] = [];
  for await (const event of await api.watch('/api/v1/pods?watch=1', 30, signal)) watched.push(event);
  expect([watched, asked]).toEqual([events, '/api/v1/pods?watch=1&timeoutSeconds=30']);
});

test('a watch whose connection breaks has an error, and its pods are unknown', async () => {
  answer = (_, response) => {
    response.write('{"type":"ADDED"}\n{"type":');
    setImmediate(() => response.destroy());
  };
  const read = async () => {
    for await (const event of await api.watch('/api/v1/pods?watch=1', 30, signal))
      expect(event).toEqual({ type: 'ADDED' });
  };
  await expect(read()).rejects.toThrow();
});

test('a request ends after 30 seconds without a reply, and a watch 30 seconds after its own end', async () => {
  answer = () => undefined;
  const limits: [Promise<unknown>, number][] = [
    [api.send('GET', '/api', signal), 30_000],
    [api.watch('/api/v1/pods?watch=1', 60, signal), 90_000],
  ];
  for (const [reply] of limits) reply.catch(() => undefined);
  for (const [reply, limit] of limits) {
    clock.advance(limit - 1 - clock.now());
    expect(await isPending(reply)).toBe(true);
    clock.advance(1);
    await expect(reply).rejects.toThrow('aborted');
  }
});

describe('the API server', () => {
  const serverFrom = (options: Record<string, string>, env: Record<string, string> = {}) =>
    kubernetesServer(new Options(options), { env });

  test('is that of the options, without a slash at its end', async () => {
    const ca = join(folder, 'ca');
    await writeFile(ca, 'PEM');
    expect(await serverFrom({ apiServer: 'https://kube:6443//', tokenFile, apiCa: ca })).toEqual({
      ...{ url: 'https://kube:6443', tokenFile, ca: 'PEM' },
    });
    expect(await serverFrom({ apiServer: 'https://kube' })).toEqual({
      url: 'https://kube',
      tokenFile: undefined,
      ca: undefined,
    });
  });

  test("is that of this pod's cluster, also with an IPv6 address", async () => {
    const ca = join(folder, 'ca');
    await writeFile(ca, 'PEM');
    const inPod = async (env: Record<string, string>) => (await serverFrom({ apiCa: ca }, env)).url;
    expect(await inPod({ KUBERNETES_SERVICE_HOST: '10.0.0.1' })).toBe('https://10.0.0.1:443');
    expect(await inPod({ KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' })).toBe(
      'https://[fd00::1]:6443',
    );
    const { tokenFile: token } = await serverFrom({ apiCa: ca }, { KUBERNETES_SERVICE_HOST: '10.0.0.1' });
    expect(token).toBe('/var/run/secrets/kubernetes.io/serviceaccount/token');
  });

  test('must be given outside a cluster', async () => {
    await expect(serverFrom({})).rejects.toThrow(/This is no pod of Kubernetes: give --api-server URL/);
    await expect(serverFrom({}, { KUBERNETES_SERVICE_HOST: '' })).rejects.toThrow(/no pod/);
    await expect(serverFrom({}, { KUBERNETES_SERVICE_HOST: 'h' })).rejects.toThrow(/ca\.crt/);
  });
});
