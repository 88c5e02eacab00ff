import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkServerIdentity, connect } from 'node:tls';
import { generate } from 'selfsigned';
import type { LogEntry } from '../../shared/core/log.ts';
import { manualClock } from '../../tests/support/manual-clock.ts';
import { testTime } from '../../tests/support/test-time.ts';
import { type Certificate, ensureCertificate, isMadeHere, readCertificate, watchCertificate } from './certificate.ts';
import { StartFailure } from '../process/failure.ts';

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
    notBeforeDate: testTime(fromDays * dayMilliseconds),
    notAfterDate: testTime(toDays * dayMilliseconds),
  });
  await Promise.all([writeFile(keyFile(), pair.private), writeFile(certFile(), pair.cert)]);
  return pair;
}

test('a client that trusts the certificate is served at localhost, 127.0.0.1 and ::1', async () => {
  // Valid today: the client reads the clock of the machine.
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

const names = ['db.example.com', '192.0.2.7', '2001:DB8::7'];

test('the certificate has the given names, and no other', async () => {
  const parsed = new X509Certificate((await ensureCertificate(home, testTime, names)).cert);
  expect(parsed.checkHost('db.example.com')).toBe('db.example.com');
  for (const ip of ['192.0.2.7', '2001:db8::7', '127.0.0.1']) expect(parsed.checkIP(ip)).toBe(ip);
  expect(parsed.checkHost('other.example.com')).toBeUndefined();
  expect(parsed.checkIP('192.0.2.8')).toBeUndefined();
  expect(isMadeHere(parsed)).toBe(true);
});

test.each([
  ['another name', [...names, 'inventory.example.com']],
  ['a name less', names.slice(1)],
  ['a name in place of another', ['inventory.example.com', ...names.slice(1)]],
])('%s is a new certificate for the same key, for good', async (_name, changed) => {
  const before = await ensureCertificate(home, testTime, names);
  const made = await ensureCertificate(home, testTime, changed);
  expect(made.key).toBe(before.key);
  expect(made.cert).not.toBe(before.cert);
  expect(await ensureCertificate(home, testTime, changed)).toEqual(made);
});

test('the same names in another order, spelling or number are no reason for a new certificate', async () => {
  const made = await ensureCertificate(home, testTime, names);
  const again = ['2001:db8:0::7', 'DB.example.com', 'localhost', ...names.slice(1)];
  expect(await ensureCertificate(home, testTime, again)).toEqual(made);
});

test('a pair of the user without the names stays as it is', async () => {
  const pair = await putPair(-100, 100);
  expect(await ensureCertificate(home, testTime, names)).toEqual({ key: pair.private, cert: pair.cert });
});

describe('files of the user elsewhere', () => {
  const files = () => ({ cert: certFile(), key: keyFile() });

  test('are served', async () => {
    const pair = await putPair(-100, 100);
    expect(await readCertificate(files())).toEqual({ key: pair.private, cert: pair.cert });
  });

  test.each([
    ['without a certificate', () => rm(certFile()), /^The file \S+tls-cert.pem cannot be read \(ENOENT\)/],
    ['without a key', () => rm(keyFile()), /^The file \S+tls-key.pem cannot be read \(ENOENT\)/],
    ['with half a key', () => writeFile(keyFile(), 'half'), /tls-key.pem is not PEM, or is encrypted. Replace it.$/],
    ['with another text', () => writeFile(certFile(), 'text'), /tls-cert.pem is not PEM/],
    [
      'that are no pair',
      async () => writeFile(keyFile(), (await generate([], { keyType: 'ec' })).private),
      /do not belong together. Set TLS_CERT_FILE and TLS_KEY_FILE to a pair.$/,
    ],
  ])('%s are refused', async (_name, damage, message) => {
    await putPair(-100, 100);
    await damage();
    const attempt = readCertificate(files());
    await expect(attempt).rejects.toBeInstanceOf(StartFailure);
    await expect(attempt).rejects.toThrow(message);
  });

  test('that are about to expire are logged with their paths', async () => {
    const logged: LogEntry[] = [];
    const services = {
      log: (entry: LogEntry) => logged.push(entry),
      clock: testTime,
      table: { monotonic: manualClock() },
    };
    await ownPair(815);
    await watchCertificate(await readCertificate(files()), services, files()).stop();
    expect(logged).toMatchObject([{ remedy: `replace ${certFile()} and ${keyFile()} and restart the server` }]);
  });
});

test('the certificate is an EC P-256 one for localhost that every browser accepts: at most 825 days, for servers only', async () => {
  const { key, cert } = await ensureCertificate(home, testTime);
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
  const made = await ensureCertificate(folder, testTime);
  expect(await ensureCertificate(folder, testTime)).toEqual(made);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(keyFile(folder))).mode & 0o777).toBe(0o600);
  expect((await readdir(folder)).sort()).toEqual(['tls-cert.pem', 'tls-key.pem']);
});

/** Makes the certificate of this server, as a start that many days ago did. */
function ownPair(daysAgo: number) {
  return ensureCertificate(home, () => testTime(-daysAgo * dayMilliseconds));
}

test.each([
  ['valid', -100, 8],
  ['about to expire', -100, 6],
  ['expired', -100, -1],
  ['not valid yet', 1, 100],
])('a pair of the user that is %s is used, and neither file changes', async (_name, fromDays, toDays) => {
  const pair = await putPair(fromDays, toDays);
  expect(await ensureCertificate(home, testTime)).toEqual({ key: pair.private, cert: pair.cert });
  expect([await readFile(keyFile(), 'utf8'), await readFile(certFile(), 'utf8')]).toEqual([pair.private, pair.cert]);
});

test.each([
  ['expired', 900],
  ['about to expire', 815],
  ['not valid yet', -1],
])('our own certificate that is %s is replaced by one for the same key, for good', async (_name, daysAgo) => {
  const before = await ownPair(daysAgo);
  const made = await ensureCertificate(home, testTime);
  expect(made.key).toBe(before.key);
  expect(made.cert).not.toBe(before.cert);
  expect(new X509Certificate(made.cert).checkPrivateKey(createPrivateKey(made.key))).toBe(true);
  expect(await ensureCertificate(home, testTime)).toEqual(made);
});

test('our own certificate is kept until 7 days before it expires', async () => {
  const before = await ownPair(812);
  expect(await ensureCertificate(home, testTime)).toEqual(before);
});

test('a missing file of our own pair is replaced: the certificate for the same key, or both', async () => {
  const first = await ensureCertificate(home, testTime);
  await rm(certFile());
  const second = await ensureCertificate(home, testTime);
  expect(second.key).toBe(first.key);
  expect(new X509Certificate(second.cert).checkPrivateKey(createPrivateKey(second.key))).toBe(true);
  await rm(keyFile());
  const third = await ensureCertificate(home, testTime);
  expect(third.key).not.toBe(first.key);
  expect(await ensureCertificate(home, testTime)).toEqual(third);
});

test.each([
  [
    'half a certificate',
    async () => writeFile(certFile(), (await readFile(certFile(), 'utf8')).slice(0, 300)),
    certFile,
  ],
  ['an empty certificate', () => writeFile(certFile(), ''), certFile],
  ['half a key', async () => writeFile(keyFile(), (await readFile(keyFile(), 'utf8')).slice(0, 60)), keyFile],
  ['a certificate of the user without its key', () => rm(keyFile()), keyFile],
  [
    'two files that do not belong together',
    async () => writeFile(keyFile(), (await generate([{ name: 'commonName', value: 'x' }], { keyType: 'ec' })).private),
    keyFile,
  ],
  [
    'a key of another kind without its certificate',
    async () => {
      await writeFile(keyFile(), (await generate([{ name: 'commonName', value: 'x' }], { keyType: 'rsa' })).private);
      await rm(certFile());
    },
    keyFile,
  ],
])('%s is refused, naming the file, and no file is written', async (_name, damage, named) => {
  await putPair(-1, 100);
  await damage();
  const content = async () =>
    Promise.all((await readdir(home)).sort().map(async (name) => [name, await readFile(join(home, name), 'utf8')]));
  const before = await content();
  const attempt = ensureCertificate(home, testTime);
  await expect(attempt).rejects.toBeInstanceOf(StartFailure);
  await expect(attempt).rejects.toThrow(named());
  expect(await content()).toEqual(before);
});

test('a certificate that is about to expire is logged at once and each day, with what to do; another one is not', async () => {
  const logged: LogEntry[] = [];
  const log = (entry: LogEntry) => logged.push(entry);
  const watched = async (pair: Certificate) => {
    const monotonic = manualClock();
    const schedule = watchCertificate(pair, { log, clock: testTime, table: { monotonic } });
    monotonic.advance(2 * dayMilliseconds);
    await schedule.stop();
    return logged.splice(0).map((entry) => entry['remedy']);
  };
  await putPair(-100, 8);
  expect(await watched(await ensureCertificate(home, testTime))).toEqual([]);
  await putPair(-100, 6);
  const replace = expect.stringContaining('replace tls-cert.pem and tls-key.pem');
  expect((await watched(await ensureCertificate(home, testTime))).length).toBeGreaterThanOrEqual(2);
  await putPair(-100, -1);
  expect((await watched(await ensureCertificate(home, testTime)))[0]).toEqual(replace);
  await Promise.all([rm(keyFile()), rm(certFile())]);
  expect((await watched(await ownPair(815)))[0]).toContain('restart the server');
});

test('files end with a line break, so that joined files are a bundle; a file of an earlier version gets it', async () => {
  const { cert } = await ensureCertificate(home, testTime);
  const files = async () => Promise.all([keyFile(), certFile()].map((file) => readFile(file, 'utf8')));
  for (const text of await files()) expect(text).toMatch(/-----\n$/);
  await writeFile(certFile(), cert.trimEnd());
  const before = await files();
  const next = await ensureCertificate(home, testTime);
  expect(await files()).toEqual([before[0], cert]);
  expect(new X509Certificate(next.cert).raw).toEqual(new X509Certificate(cert).raw);
});

test('a certificate of the user stays as it is, also without a line break at the end', async () => {
  await putPair(-1, 100);
  const cert = (await readFile(certFile(), 'utf8')).trimEnd();
  await writeFile(certFile(), cert);
  await ensureCertificate(home, testTime);
  expect(await readFile(certFile(), 'utf8')).toBe(cert);
});

test('servers that start at once get the same key, with certificates that match it', async () => {
  const made = await Promise.all(Array.from({ length: 4 }, () => ensureCertificate(home, testTime)));
  const stored = await readFile(keyFile(), 'utf8');
  for (const { key, cert } of [...made, await ensureCertificate(home, testTime)]) {
    expect(key).toBe(stored);
    expect(new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))).toBe(true);
  }
});

test('a data folder that cannot be written is refused, naming it', async () => {
  const file = join(home, 'file');
  await writeFile(file, '');
  const attempt = ensureCertificate(join(file, 'below'), testTime);
  await expect(attempt).rejects.toBeInstanceOf(StartFailure);
  await expect(attempt).rejects.toThrow(join(file, 'below'));
});
