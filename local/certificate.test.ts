import { createPrivateKey, X509Certificate } from 'node:crypto';
import { chmod, copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkServerIdentity, connect } from 'node:tls';
import { generate } from 'selfsigned';
import { ensureCertificate } from './certificate.ts';
import { StartFailure } from './failure.ts';

const dayMilliseconds = 24 * 60 * 60 * 1000;
let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'certificate-test-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const keyFile = (folder = home) => join(folder, 'tls-key.pem');
const certFile = (folder = home) => join(folder, 'tls-cert.pem');

/** Puts a pair for localhost into the folder, as a user might, valid between the two days from now. */
async function putPair(fromDays: number, toDays: number) {
  const pair = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() + fromDays * dayMilliseconds),
    notAfterDate: new Date(Date.now() + toDays * dayMilliseconds),
  });
  await Promise.all([writeFile(keyFile(), pair.private), writeFile(certFile(), pair.cert)]);
  return pair;
}

test('a client that trusts the certificate is served at localhost, 127.0.0.1 and ::1', async () => {
  const { key, cert } = await ensureCertificate(home);
  const server = createServer({ key, cert }, (_request, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  try {
    for (const name of ['localhost', '127.0.0.1', '::1']) {
      const authorized = await new Promise((resolve, reject) => {
        // Connects to one address and verifies each name: a host may lack IPv6.
        const socket = connect({
          host: '127.0.0.1',
          port,
          ca: cert,
          checkServerIdentity: (_host, peer) => checkServerIdentity(name, peer),
        });
        socket.once('secureConnect', () => resolve(socket.authorized)).once('error', reject);
        socket.once('secureConnect', () => socket.end());
      });
      expect(authorized).toBe(true);
    }
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test('the certificate is an EC P-256 one for localhost that every browser accepts: at most 825 days, for servers only', async () => {
  const { key, cert } = await ensureCertificate(home);
  const parsed = new X509Certificate(cert);
  expect(parsed.subject).toBe('CN=localhost');
  expect(parsed.ca).toBe(false);
  expect(parsed.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']); // serverAuth
  expect(createPrivateKey(key).asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
  const days = (parsed.validToDate.getTime() - parsed.validFromDate.getTime()) / dayMilliseconds;
  expect(days).toBeGreaterThan(365);
  expect(days).toBeLessThanOrEqual(825);
});

test('the certificate is kept, with a key that only its owner can read and no other file', async () => {
  const folder = join(home, 'not', 'there yet');
  const made = await ensureCertificate(folder);
  expect(await ensureCertificate(folder)).toEqual(made);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(keyFile(folder))).mode & 0o777).toBe(0o600);
  expect((await readdir(folder)).sort()).toEqual(['tls-cert.pem', 'tls-key.pem']);
});

test('a pair that someone put there is used as it is', async () => {
  const pair = await putPair(-100, 8);
  expect(await ensureCertificate(home)).toEqual({ key: pair.private, cert: pair.cert });
});

test.each([
  ['expired', -100, -1],
  ['about to expire', -100, 6],
  ['not valid yet', 1, 100],
])('a certificate that is %s is replaced, for good', async (_name, fromDays, toDays) => {
  const pair = await putPair(fromDays, toDays);
  const made = await ensureCertificate(home);
  expect(made.cert).not.toBe(pair.cert);
  expect(await ensureCertificate(home)).toEqual(made);
});

test('what cannot be used is replaced: half a file, an empty one, one of the two missing, two that do not belong together', async () => {
  const first = await ensureCertificate(home);
  const damages = [
    () => writeFile(certFile(), first.cert.slice(0, 300)),
    () => writeFile(keyFile(), first.key.slice(0, 60)),
    () => writeFile(certFile(), ''),
    () => rm(keyFile()),
    () => rm(certFile()),
    async () => {
      const other = await mkdtemp(join(home, 'other-'));
      await ensureCertificate(other);
      await copyFile(keyFile(other), keyFile());
    },
  ];
  for (const damage of damages) {
    await damage();
    const { key, cert } = await ensureCertificate(home);
    expect(new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect([await readFile(keyFile(), 'utf8'), await readFile(certFile(), 'utf8')]).toEqual([key, cert]);
  }
});

test('a replaced key is as private as a new one', async () => {
  await putPair(-100, -1);
  await chmod(keyFile(), 0o644);
  await ensureCertificate(home);
  expect((await stat(keyFile())).mode & 0o777).toBe(0o600);
});

test('two servers that start at once both get a pair that belongs together', async () => {
  const made = await Promise.all(Array.from({ length: 4 }, () => ensureCertificate(home)));
  for (const { key, cert } of made) {
    expect(new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))).toBe(true);
  }
});

test('a data folder that cannot be written is refused, naming it', async () => {
  const file = join(home, 'file');
  await writeFile(file, '');
  const attempt = ensureCertificate(join(file, 'below'));
  await expect(attempt).rejects.toBeInstanceOf(StartFailure);
  await expect(attempt).rejects.toThrow(join(file, 'below'));
});
