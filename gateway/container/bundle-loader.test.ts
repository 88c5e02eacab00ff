import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import { BundleBucket, role } from '../../tests/support/bundle-bucket.ts';
import { type ManualClock, manualClock } from '../../tests/support/manual-clock.ts';
import { readBundle, signedHeaders } from './bundle-loader.ts';

let bucket: BundleBucket;
let clock: ManualClock;
beforeEach(async () => {
  [bucket, clock] = [new BundleBucket(), manualClock()];
  await bucket.listen();
});
afterEach(() => bucket.close());

/** Reads the program as the container does. Pauses take no time. */
const read = (environment: Record<string, string | undefined>) => {
  const clocks = { clock: () => new Date('2026-06-01T12:34:56Z'), monotonic: clock };
  return clock.passUntil(readBundle(environment, clocks));
};

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
  bucket.failures = 2;
  expect(await read(bucket.environment())).toEqual(bucket.file);
  expect(bucket.requests.map(({ url }) => url)).toEqual(
    Array.from({ length: 3 }, () => ['/role', '/assets/program.mjs']).flat(),
  );
  expect(bucket.requests.at(-1)?.headers.authorization).toContain('/20260601/eu-west-1/s3/aws4_request');
  expect(clock.now()).toBe(2 * 2000);
});

test('gives up after five attempts, with the last failure', async () => {
  bucket.failures = 5;
  await expect(read(bucket.environment())).rejects.toThrow('replied with 503');
  expect(clock.now()).toBe(4 * 2000);
});

test('refuses a file other than the deployed one, and missing variables', async () => {
  const environment = bucket.environment();
  bucket.file = Buffer.from('export const other = 1;');
  await expect(read(environment)).rejects.toThrow('not the one that was deployed');
  await expect(read({ ...environment, BUNDLE_KEY: undefined })).rejects.toThrow('BUNDLE_KEY must be set.');
});

test.each([
  'null',
  '"role"',
  '[]',
  '{"AccessKeyId":"id","SecretAccessKey":"secret"}',
  '{"AccessKeyId":1,"SecretAccessKey":"s","Token":"t"}',
])('credentials that are %s are none, and nothing is read with them', async (text) => {
  const environment = bucket.environment();
  bucket.file = Buffer.from(text);
  // The address of the credentials is that of a file with this text.
  const path = 'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI';
  await expect(read({ ...environment, [path]: '/credentials' })).rejects.toThrow('The task has no credentials.');
  expect(new Set(bucket.requests.map(({ url }) => url))).toEqual(new Set(['/credentials']));
});

describe('without addresses of its own', () => {
  const { fetch } = globalThis;
  afterEach(() => {
    globalThis.fetch = fetch;
  });

  test.each([
    [undefined, 'https://s3.eu-west-1.amazonaws.com/assets/program.mjs'],
    ['amazonaws.com.cn', 'https://s3.eu-west-1.amazonaws.com.cn/assets/program.mjs'],
  ])('it asks ECS for the role, and the bucket in its region (domain: %s)', async (suffix, file) => {
    const urls: string[] = [];
    globalThis.fetch = (url) => {
      urls.push(url as string);
      return Promise.resolve(new Response(urls.length === 1 ? JSON.stringify(role) : bucket.file));
    };
    const { CREDENTIALS_HOST: _host, AWS_ENDPOINT_URL_S3: _bucket, ...environment } = bucket.environment();
    expect(await read({ ...environment, URL_SUFFIX: suffix })).toEqual(bucket.file);
    expect(urls).toEqual(['http://169.254.170.2/role', file]);
  });
});
