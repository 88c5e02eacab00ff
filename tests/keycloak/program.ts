import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { run } from '../deploy/processes.ts';
import { FIRST_COMPILER } from '../support/java.ts';

const VERSION = '26.7.3';
const NAME = `keycloak-${VERSION}`;
const PACKAGE = 'keycloak-quarkus-dist';
const SHA_256 = '27a6535553c3cdcd083872ba40629efafb3475e3b758e0c6f691395561dd0f1f';

const cache = fileURLToPath(new URL('../../node_modules/.cache/keycloak', import.meta.url));

const LIMIT_MS = 40 * 60_000;

/** A small Java. */
const JAVA_OPTIONS = `-Xms64m -Xmx384m -XX:+UseSerialGC ${FIRST_COMPILER} -Djava.security.egd=file:/dev/urandom`;

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

/** @returns the path of the archive. @throws Error when Maven cannot fetch it, or when it is another one. */
async function fetchArchive(target: string): Promise<string> {
  const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
  const artifact = `-Dartifact=org.keycloak:${PACKAGE}:${VERSION}:zip`;
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  const command = ['mvn', '-B', '-q', '-ntp', goal, artifact, `-DoutputDirectory=${target}`];
  await run(command, { cwd: target, env, limitMilliseconds: LIMIT_MS });
  const archive = join(target, `${PACKAGE}-${VERSION}.zip`);
  const digest = await digestOf(archive);
  if (digest !== SHA_256) throw new Error(`${PACKAGE} ${VERSION} has the SHA-256 ${digest} instead of ${SHA_256}`);
  return archive;
}

/**
 * Fetches Keycloak (180 MB) and builds it for the tests, once on a machine.
 *
 * @returns the path of its program.
 * @throws Error without Java and Maven, or when it cannot be fetched or built.
 */
export async function keycloakProgram(): Promise<string> {
  const program = join(folder, 'bin/kc.sh');
  if (existsSync(program)) return program;
  await mkdir(cache, { recursive: true });
  const partial = await mkdtemp(join(cache, 'partial-'));
  const options = { cwd: partial, env: keycloakEnvironment, limitMilliseconds: LIMIT_MS };
  try {
    const archive = await fetchArchive(partial);
    // Python unpacks zip files on every machine that runs the other suites, but loses the right to execute.
    await run(['python3', '-m', 'zipfile', '-e', archive, '.'], options);
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
