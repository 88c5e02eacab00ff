import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import {
  ADMIN_ACCOUNT_WANTED,
  type AdminAccountUse,
  adminAccountUses,
} from '../functions/domain/access/admin-account.ts';
import { DASHBOARD_LINKS_WANTED, parseDashboardLinks } from '../functions/domain/fields/dashboard-links.ts';
import { DEFAULT_OWNER_LABEL, isOwnerLabel, OWNER_LABEL_WANTED } from '../functions/domain/fields/owner-label.ts';
import { CLEANUP_MINUTES } from '../functions/domain/records/cleanup.ts';
import { parseIdentityProviders } from '../functions/domain/fields/identity-providers.ts';
import { ACCOUNT_NAME } from '../functions/store/credentials/accounts.ts';
import { FIRST_CHANGE_SHARDS, MAX_CHANGE_SHARDS } from '../functions/store/table/keys.ts';
import { parseAuthorization } from '../shared/auth/authorization-header.ts';
import { characters } from '../shared/core/text.ts';
import { errorCode, StartFailure } from './process/failure.ts';
import { NEW_INVENTORY } from './new-inventory.ts';
import type { CertificateFiles } from './server/certificate.ts';
import { isCertificateName, parseCertificateNames, TLS_NAMES_WANTED } from './server/certificate-names.ts';
import { type IsTrustedProxy, parseTrustedProxies } from './server/client-address.ts';

/** The settings of the environment and of the command's arguments. */
export interface Settings {
  host: string;
  port: number;
  dataDir: string;
  adminAccount: AdminAccountUse;
  adminPassword: string | undefined;
  resetPassword: boolean;
  newInventory: boolean;
  authorizerCacheSeconds: number;
  cleanupMinutes: number;
  stateEventsMinutes: number;
  changeShards: number | undefined;
  /** JSON. */
  identityProviders: string;
  /** The reverse proxies whose X-Forwarded-For counts. */
  isTrustedProxy: IsTrustedProxy;
  /** Names of the generated certificate, besides those of the loopback interface. */
  certificateNames: readonly string[];
  /** The files with the own certificate of the operator. */
  certificateFiles: CertificateFiles | undefined;
}

export const RESET_PASSWORD = '--reset-password';
const OPTIONS: readonly string[] = [RESET_PASSWORD, NEW_INVENTORY];

/**
 * @param machineName the host name of this machine
 * @throws StartFailure for a value that is not accepted
 */
export function readSettings(
  environment: NodeJS.ProcessEnv,
  args: string[],
  machineName: string = hostname(),
): Settings {
  const [unknown] = args.find((arg) => !OPTIONS.includes(arg))?.split('=') ?? [];
  if (unknown !== undefined) throw new StartFailure(`Unknown option ${unknown}. Options: ${OPTIONS.join(' and ')}.`);
  const newInventory = args.includes(NEW_INVENTORY);
  if (newInventory && environment['DYNAMODB_ENDPOINT'])
    throw new StartFailure(`${NEW_INVENTORY} requires the embedded engine. Omit it, or unset DYNAMODB_ENDPOINT.`);
  // Shells set an unset variable to an empty string, so empty means the default. Above all for HOST: empty would be
  // every address of the host.
  const port = environment['PORT'] || '8443';
  if (!/^[0-9]{1,5}$/.test(port) || Number(port) > 65535)
    throw new StartFailure('PORT must be a number from 0 to 65535; 0 selects a free port.');
  const cacheSeconds = environment['AUTHORIZER_CACHE_SECONDS'] || '0';
  if (!/^[0-9]{1,3}$/.test(cacheSeconds) || Number(cacheSeconds) > 300)
    throw new StartFailure('AUTHORIZER_CACHE_SECONDS must be a number from 0 to 300.');
  const changeShards = shardsIn(environment['CHANGE_SHARDS']);
  const pmmCompatibility = environment['PMM_COMPATIBILITY'] || 'true';
  if (pmmCompatibility !== 'true' && pmmCompatibility !== 'false')
    throw new StartFailure('PMM_COMPATIBILITY must be true or false.');
  if (parseDashboardLinks(environment['DASHBOARDS'] ?? '') === undefined)
    throw new StartFailure(`DASHBOARDS must be ${DASHBOARD_LINKS_WANTED}.`);
  if (!isOwnerLabel(environment['OWNER_LABEL'] || DEFAULT_OWNER_LABEL))
    throw new StartFailure(`OWNER_LABEL must be ${OWNER_LABEL_WANTED}.`);
  const adminAccount = adminAccountUses.find((use) => use === (environment['ADMIN_ACCOUNT'] || 'enabled'));
  if (adminAccount === undefined) throw new StartFailure(`ADMIN_ACCOUNT must be ${ADMIN_ACCOUNT_WANTED}.`);
  const adminPassword = environment['ADMIN_PASSWORD'];
  if (adminPassword !== undefined && !canLogIn(adminPassword))
    throw new StartFailure('ADMIN_PASSWORD must have 1 to 512 characters and no control characters.');
  const host = environment['HOST'] || '127.0.0.1';
  if (adminPassword !== undefined && characters(adminPassword) < SAFE_PASSWORD_CHARACTERS) {
    const short = `ADMIN_PASSWORD has fewer than ${SAFE_PASSWORD_CHARACTERS} characters`;
    if (!isLoopback(host))
      throw new StartFailure(
        `${short}, and HOST ${host} is not a loopback address. Choose a longer password, or omit it for a random one.`,
      );
    process.stderr.write(`${short}. Choose a longer one before other machines can reach this server.\n`);
  }
  return {
    host,
    port: Number(port),
    dataDir: resolve(environment['DATA_DIR'] || '.data'),
    adminAccount,
    adminPassword,
    resetPassword: args.includes(RESET_PASSWORD),
    newInventory,
    authorizerCacheSeconds: Number(cacheSeconds),
    cleanupMinutes: minutesIn(environment, 'CLEANUP_MINUTES', { preset: CLEANUP_MINUTES, what: 'the cleanup' }),
    stateEventsMinutes: minutesIn(environment, 'STATE_EVENTS_MINUTES', { preset: 0, what: 'state events' }),
    changeShards,
    identityProviders: providersIn(environment['IDENTITY_PROVIDERS']),
    isTrustedProxy: proxiesIn(environment['TRUSTED_PROXIES']),
    certificateNames: certificateNamesIn(environment, host, machineName),
    certificateFiles: certificateFilesIn(environment),
  };
}

/** The interval of a schedule. */
function minutesIn(
  environment: NodeJS.ProcessEnv,
  name: string,
  { preset, what }: { preset: number; what: string },
): number {
  const minutes = environment[name] || String(preset);
  if (!/^[0-9]{1,4}$/.test(minutes) || Number(minutes) > 1440)
    throw new StartFailure(`${name} must be a number from 0 to 1440; 0 disables ${what}.`);
  return Number(minutes);
}

/** Undefined, as well as empty, means the number of the table. */
function shardsIn(text = ''): number | undefined {
  if (text === '') return undefined;
  const shards = /^[0-9]{1,2}$/.test(text) ? Number(text) : NaN;
  if (shards >= FIRST_CHANGE_SHARDS && shards <= MAX_CHANGE_SHARDS) return shards;
  throw new StartFailure(`CHANGE_SHARDS must be a number from ${FIRST_CHANGE_SHARDS} to ${MAX_CHANGE_SHARDS}.`);
}

function proxiesIn(text = ''): IsTrustedProxy {
  const isTrusted = parseTrustedProxies(text);
  if (isTrusted !== undefined) return isTrusted;
  throw new StartFailure('TRUSTED_PROXIES must be addresses or networks such as 10.0.0.0/8, separated by commas.');
}

/** Under the host name of the machine nobody reaches a server that listens on the loopback interface only. */
function certificateNamesIn({ TLS_NAMES: text = '' }: NodeJS.ProcessEnv, host: string, machineName: string): string[] {
  const names = parseCertificateNames(text);
  if (names === undefined) throw new StartFailure(`TLS_NAMES must be ${TLS_NAMES_WANTED}.`);
  const reached = [host, ...(isLoopback(host) ? [] : [machineName])];
  return [...reached.filter((name) => isCertificateName(name) && !['0.0.0.0', '::'].includes(name)), ...names];
}

function certificateFilesIn(environment: NodeJS.ProcessEnv): CertificateFiles | undefined {
  const { TLS_CERT_FILE: cert = '', TLS_KEY_FILE: key = '' } = environment;
  if (cert === '' && key === '') return undefined;
  if (cert === '' || key === '')
    throw new StartFailure('TLS_CERT_FILE and TLS_KEY_FILE belong together. Set both, or none.');
  if (environment['TLS_NAMES'])
    throw new StartFailure('TLS_NAMES names the generated certificate. Omit it, or TLS_CERT_FILE and TLS_KEY_FILE.');
  return { cert: resolve(cert), key: resolve(key) };
}

/** The text of the variable, or of the file that it names. */
function readProviders(value: string): string {
  if (/^\s*(\[|$)/.test(value)) return value;
  try {
    return readFileSync(value, 'utf8');
  } catch (error) {
    throw new StartFailure(
      `IDENTITY_PROVIDERS: the file ${value} cannot be read (${errorCode(error)}). Name a file, or set the JSON itself.`,
    );
  }
}

function providersIn(value = ''): string {
  const text = readProviders(value);
  const read = parseIdentityProviders(text);
  if ('problems' in read)
    throw new StartFailure(read.problems.map((problem) => `IDENTITY_PROVIDERS: ${problem}`).join('\n'));
  return text;
}

/** A shorter password can be guessed in spite of the limits of password checks. */
const SAFE_PASSWORD_CHARACTERS = 12;

/** Whether only this host can reach the address. Names other than localhost may be any address. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/** Whether the password is valid in an Authorization header, by the rules of its parser. */
function canLogIn(password: string): boolean {
  const basic = Buffer.from(`${ACCOUNT_NAME}:${password}`).toString('base64');
  return parseAuthorization([`Basic ${basic}`]).kind === 'password';
}
