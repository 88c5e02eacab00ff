import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { run } from '../deploy/processes.ts';

const VERSION = '26.7.3';
const NAME = `keycloak-${VERSION}`;
const ARCHIVE = `https://repo1.maven.org/maven2/org/keycloak/keycloak-quarkus-dist/${VERSION}/keycloak-quarkus-dist-${VERSION}.zip`;
const SHA_256 = '27a6535553c3cdcd083872ba40629efafb3475e3b758e0c6f691395561dd0f1f';

const cache = fileURLToPath(new URL('../../node_modules/.cache/keycloak', import.meta.url));

const LIMIT_MS = 40 * 60_000;

/** A small Java that compiles no more than it must: the program runs for a minute. */
const JAVA_OPTIONS = '-Xms64m -Xmx384m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Djava.security.egd=file:/dev/urandom';

/** The environment of Keycloak, without settings of this process. */
export const keycloakEnvironment = { PATH: process.env['PATH'], JAVA_OPTS: JAVA_OPTIONS };

/** Settings that are fixed in the program when it is built. The database is in its memory. */
const BUILD_OPTIONS = ['--db=dev-mem', '--health-enabled=false', '--metrics-enabled=false'];

/** The program of this version and these settings. */
const folder = join(
  cache,
  `${VERSION}-${createHash('sha256').update(BUILD_OPTIONS.join(' ')).digest('hex').slice(0, 8)}`,
);

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** @throws Error when the archive cannot be fetched, or is another one. */
async function fetchArchive(target: string): Promise<void> {
  const { status, body } = await fetch(ARCHIVE, { signal: AbortSignal.timeout(LIMIT_MS) });
  if (status !== 200 || body === null) throw new Error(`Keycloak cannot be fetched: status ${status} of ${ARCHIVE}`);
  await pipeline(Readable.fromWeb(body), createWriteStream(target));
  const digest = await digestOf(target);
  if (digest !== SHA_256) throw new Error(`${ARCHIVE} has the SHA-256 ${digest} instead of ${SHA_256}`);
}

/**
 * Fetches Keycloak (180 MB) and builds it for the tests, once on a machine.
 *
 * @returns the path of its program.
 * @throws Error without Java, or when it cannot be fetched or built.
 */
export async function keycloakProgram(): Promise<string> {
  const program = join(folder, 'bin/kc.sh');
  if (existsSync(program)) return program;
  await mkdir(cache, { recursive: true });
  const partial = await mkdtemp(join(cache, 'partial-'));
  const options = { cwd: partial, env: keycloakEnvironment, limitMilliseconds: LIMIT_MS };
  try {
    await fetchArchive(join(partial, 'archive.zip'));
    // Python unpacks zip files on every machine that runs the other suites, but loses the right to execute.
    await run(['python3', '-m', 'zipfile', '-e', 'archive.zip', '.'], options);
    await run(['bash', join(partial, NAME, 'bin/kc.sh'), 'build', ...BUILD_OPTIONS], options);
    // All or nothing: a build that was cut off is not used. Of two at once, the first one stays.
    await rename(join(partial, NAME), folder).catch((error: unknown) => {
      if (!existsSync(program)) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return program;
}

// Before the tests.
if (import.meta.main) process.stdout.write(`${await keycloakProgram()}\n`);
