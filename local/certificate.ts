import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeDataFolder } from './data-folder.ts';
import { StartFailure } from './failure.ts';
import { writeWhole } from './write-whole.ts';

const dayMilliseconds = 24 * 60 * 60 * 1000;
// Apple's systems refuse a server certificate that is valid for more than 825 days, even if the user trusts it:
// support.apple.com/103769.
const validDays = 820;
const renewDaysBefore = 7;

const KEY_FILE = 'tls-key.pem';
/** In the data folder. */
export const CERTIFICATE_FILE = 'tls-cert.pem';

const SUBJECT = 'localhost';

/** Whether this server generated the certificate, as opposed to one that a user put into the folder. */
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
 * The certificate for https://localhost, 127.0.0.1 and ::1, stored in the data folder as tls-key.pem (mode 0600) and
 * tls-cert.pem. Generated when no readable pair exists, when the two files do not match, and 7 days before it expires.
 * A pair from the user (by mkcert, say) is used unchanged.
 *
 * @throws StartFailure when the data folder cannot be created or written
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
    // A kill between the two writes leaves files that do not match; the next start replaces them.
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
    return undefined; // missing, unreadable or not PEM: it cannot be used
  }
}

async function makePair(): Promise<Certificate> {
  // Imported only by a start that generates a certificate: 26 packages.
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
