import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { link, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeDataFolder } from '../engine/make-data-folder.ts';
import type { Log } from '../../shared/core/log.ts';
import type { ClockSource } from '../../shared/core/monotonic-clock.ts';
import { timeOfDay } from '../../shared/core/time-of-day.ts';
import { errorCode, StartFailure } from '../process/failure.ts';
import { runEvery, type Schedule } from '../process/schedule.ts';
import { writeWhole } from '../process/write-whole.ts';
import { allNames, hasOwnNames, namesIn, subjectAltNames } from './certificate-names.ts';

const dayMilliseconds = 24 * 60 * 60 * 1000;
// Apple's systems refuse a server certificate that is valid for more than 825 days, even if the user trusts it:
// support.apple.com/103769.
const validDays = 820;
const renewDaysBefore = 7;

const KEY_FILE = 'tls-key.pem';
/** In the data folder. */
export const CERTIFICATE_FILE = 'tls-cert.pem';

const DAY_MINUTES = 24 * 60;

const SUBJECT = 'localhost';
/** OID of the extended key usage: RFC 5280, 4.2.1.12. */
const SERVER_AUTHENTICATION = '1.3.6.1.5.5.7.3.1';

/**
 * Whether this server generated the certificate, as opposed to one that a user put into the folder: it has the subject,
 * the first names, the use and the lifetime of makeCertificate.
 */
export function isMadeHere(certificate: X509Certificate) {
  const { subject, issuer, keyUsage, validFromDate, validToDate } = certificate;
  return (
    subject === `CN=${SUBJECT}` &&
    issuer === subject &&
    hasOwnNames(certificate) &&
    keyUsage.join() === SERVER_AUTHENTICATION &&
    validToDate.getTime() - validFromDate.getTime() === validDays * dayMilliseconds
  );
}

export interface Certificate {
  /** PEM, PKCS#8. */
  readonly key: string;
  /** PEM. */
  readonly cert: string;
}

/** Paths of the files with a certificate, its chain and its private key, in PEM. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/**
 * The certificate for https://localhost, 127.0.0.1 and ::1, stored in the data folder as tls-key.pem (mode 0600) and
 * tls-cert.pem. Generated when both are missing. 7 days before it expires, or when it has other names, the next start
 * generates another one for the same key. A pair from the user (by mkcert, say) is used unchanged. A key is never
 * overwritten.
 *
 * @param names DNS names and IP addresses that the certificate has as well
 * @throws StartFailure when the files are not a pair, or when the data folder cannot be created or written
 */
export async function ensureCertificate(
  dataDir: string,
  clock = timeOfDay,
  names: readonly string[] = [],
): Promise<Certificate> {
  const wanted = allNames(names);
  const folder = resolve(dataDir);
  const files = { key: join(folder, KEY_FILE), cert: join(folder, CERTIFICATE_FILE) };
  await makeDataFolder(folder);
  const [key, cert] = await Promise.all([readFileIn(folder, files.key), readFileIn(folder, files.cert)]);
  const parsed = cert === undefined ? undefined : parsedOr(() => new X509Certificate(cert), files.cert);
  const isOurs = parsed === undefined || isMadeHere(parsed);
  if (key === undefined && !isOurs)
    throw new StartFailure(`${files.cert} has no private key. Put the key into ${files.key}, or move the file away.`);
  if (key !== undefined && cert !== undefined && parsed !== undefined) {
    if (!parsed.checkPrivateKey(parsedOr(() => createPrivateKey(key), files.key)))
      throw new StartFailure(
        `${files.cert} and ${files.key} do not belong together. Put the matching file there, or move both away.`,
      );
    if (!isOurs) return { key, cert };
    const present = namesIn(parsed);
    const hasWanted = present.length === wanted.length && wanted.every((name) => present.includes(name));
    if (hasWanted && isUsable(parsed, clock())) {
      // Of a version that wrote none. Without success the certificate works as well.
      if (cert !== asFile(cert)) await writeWhole(files.cert, asFile(cert), 0o644).catch(() => undefined);
      return { key, cert };
    }
  }
  const made = await makeCertificate(clock(), wanted, key, files.key);
  try {
    // The key first: after a kill between the two, the next start makes the certificate for it.
    if (key === undefined) await writeWhole(files.key, made.key, 0o600, link);
    await writeWhole(files.cert, made.cert, 0o644);
  } catch (error) {
    // Another server has written its key since.
    if (errorCode(error) === 'EEXIST') return ensureCertificate(dataDir, clock, names);
    throw StartFailure.dataFolder(folder, error);
  }
  return made;
}

/**
 * The certificate and key of the user in files elsewhere.
 *
 * @throws StartFailure when a file cannot be read, is not PEM, or when the two do not belong together
 */
export async function readCertificate(files: CertificateFiles): Promise<Certificate> {
  const [cert, key] = await Promise.all([readGivenFile(files.cert), readGivenFile(files.key)]);
  const parsed = parsedOr(() => new X509Certificate(cert), files.cert, 'Replace it.');
  if (!parsed.checkPrivateKey(parsedOr(() => createPrivateKey(key), files.key, 'Replace it.')))
    throw new StartFailure(
      `${files.cert} and ${files.key} do not belong together. Set TLS_CERT_FILE and TLS_KEY_FILE to a pair.`,
    );
  return { key, cert };
}

function readGivenFile(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new StartFailure(
      `The file ${file} cannot be read (${errorCode(error)}). Set TLS_CERT_FILE and TLS_KEY_FILE to a pair.`,
    );
  });
}

/** With a line break at the end: a bundle of certificates is made by joining files. */
const asFile = (pem: string) => (pem.endsWith('\n') ? pem : `${pem}\n`);

/** A file of the pair; undefined when it does not exist. */
async function readFileIn(folder: string, file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw StartFailure.dataFolder(folder, error);
  }
}

/** Without the cause: OpenSSL may quote the file. */
function parsedOr<T>(parse: () => T, file: string, remedy = 'Replace it, or move it and its counterpart away.'): T {
  try {
    return parse();
  } catch {
    throw new StartFailure(`${file} is not PEM, or is encrypted. ${remedy}`);
  }
}

function isUsable({ validFromDate, validToDate }: X509Certificate, now: Date): boolean {
  return validFromDate <= now && validToDate.getTime() > now.getTime() + renewDaysBefore * dayMilliseconds;
}

interface Services {
  log: Log;
  clock: () => Date;
  table: ClockSource;
}

/** Logs each day that the certificate has expired, expires within 7 days, or is not valid yet; the first time at once. */
export function watchCertificate(
  { cert }: Certificate,
  { log, clock, table }: Services,
  files?: CertificateFiles,
): Schedule {
  const parsed = new X509Certificate(cert);
  const replaced =
    files === undefined ? `${CERTIFICATE_FILE} and ${KEY_FILE} in the data folder` : `${files.cert} and ${files.key}`;
  const remedy =
    files === undefined && isMadeHere(parsed)
      ? 'restart the server: it renews the certificate'
      : `replace ${replaced} and restart the server`;
  const check = () => {
    const { validFromDate, validToDate } = parsed;
    if (!isUsable(parsed, clock()))
      log({
        level: 'error',
        message: 'the certificate of this server is not valid, or is about to expire',
        valid_from: validFromDate.toISOString(),
        valid_to: validToDate.toISOString(),
        remedy,
      });
    return Promise.resolve();
  };
  void check();
  const { monotonic } = table;
  return runEvery(DAY_MINUTES, check, { log, monotonic, message: 'the certificate was not checked' });
}

/** Imported only by a start that generates a certificate: 26 packages. */
async function makeCertificate(
  now: Date,
  names: readonly string[],
  key: string | undefined,
  keyFile: string,
): Promise<Certificate> {
  const { generate } = await import('selfsigned');
  const pair = await generate([{ name: 'commonName', value: SUBJECT }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: now,
    notAfterDate: new Date(now.getTime() + validDays * dayMilliseconds),
    ...(key === undefined ? {} : { keyPair: keyPairOf(key, keyFile) }),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: subjectAltNames(names) },
    ],
  });
  return { key: key ?? asFile(pair.private), cert: asFile(pair.cert) };
}

/** The key pair in the form that the generator reads: PKCS#8 and SPKI. */
function keyPairOf(key: string, file: string) {
  const privateKey = parsedOr(() => createPrivateKey(key), file);
  if (privateKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new StartFailure(`${file} has no certificate. Put one into ${CERTIFICATE_FILE}, or move the file away.`);
  const publicKey = createPublicKey(privateKey);
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}
