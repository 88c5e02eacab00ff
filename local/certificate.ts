import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeDataFolder } from './data-folder.ts';
import { StartFailure } from './failure.ts';
import { writeWhole } from './write-whole.ts';

const dayMilliseconds = 24 * 60 * 60 * 1000;
// Apple's systems refuse a longer-lived server certificate, also one that the user trusts: 825 days, support.apple.com/103769.
const validDays = 820;
const renewDaysBefore = 7;

const KEY_FILE = 'tls-key.pem';
/** In the data folder. */
export const CERTIFICATE_FILE = 'tls-cert.pem';

const SUBJECT = 'localhost';

/** Whether a certificate is one of ours, and not one that somebody put into the folder. */
export function isMadeHere(certificate: X509Certificate): boolean {
  return certificate.subject === `CN=${SUBJECT}` && certificate.issuer === certificate.subject;
}

export interface Certificate {
  /** PEM, PKCS#8. */
  readonly key: string;
  /** PEM. */
  readonly cert: string;
}

/**
 * The certificate for https://localhost, 127.0.0.1 and ::1, kept in the data folder as tls-key.pem (mode 0600) and tls-cert.pem.
 * Made when there is none that can be read, when the two files do not belong together, and 7 days before it expires.
 * A pair that someone put there (from mkcert, say) is used as it is.
 *
 * @throws StartFailure when the data folder cannot be made or written
 */
export async function ensureCertificate(dataDir: string): Promise<Certificate> {
  const folder = resolve(dataDir);
  const keyFile = join(folder, KEY_FILE);
  const certFile = join(folder, CERTIFICATE_FILE);

  const kept = await readPair(keyFile, certFile);
  if (kept) return kept;

  const made = await makePair();
  await makeDataFolder(folder);
  try {
    // A kill between the two leaves a pair that does not belong together, which the next start replaces.
    await writeWhole(keyFile, made.key, 0o600);
    await writeWhole(certFile, made.cert, 0o644);
  } catch (error) {
    throw StartFailure.dataFolder(folder, error);
  }
  return made;
}

async function readPair(keyFile: string, certFile: string): Promise<Certificate | undefined> {
  try {
    const [key, cert] = await Promise.all([readFile(keyFile, 'utf8'), readFile(certFile, 'utf8')]);
    const parsed = new X509Certificate(cert);
    const now = Date.now();
    const usable =
      parsed.checkPrivateKey(createPrivateKey(key)) &&
      parsed.validFromDate.getTime() <= now &&
      parsed.validToDate.getTime() > now + renewDaysBefore * dayMilliseconds;
    return usable ? { key, cert } : undefined;
  } catch {
    return undefined; // not there, not readable or not PEM: whatever it is, it cannot be served
  }
}

async function makePair(): Promise<Certificate> {
  // Loaded only at the start that needs it: 26 packages.
  const { generate } = await import('selfsigned');
  const now = Date.now();
  const pair = await generate([{ name: 'commonName', value: SUBJECT }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(now),
    notAfterDate: new Date(now + validDays * dayMilliseconds),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  return { key: pair.private, cert: pair.cert };
}
