import { once } from 'node:events';
import type { Server } from 'node:https';
import type { AdminAccountUse } from '../functions/domain/access/admin-account.ts';
import { type Environment, type Dependencies, compose } from '../functions/runtime/dependencies.ts';
import { initialiseTable, type SetupResult } from '../functions/runtime/initialise-table.ts';
import { claimTableFormat, TableFormatError } from '../functions/store/table/format.ts';
import { NoOtherAdmin, requireOtherAdmin } from '../functions/store/credentials/other-admins.ts';
import { identityProvidersOf } from '../functions/runtime/identity-providers.ts';
import { growChangeShards, ShardCountError } from '../functions/store/history/change-shards.ts';
import { writeWaitingRefusals } from '../functions/store/audit/refusals.ts';
import { TableFault } from '../shared/db/table-fault.ts';
import { describeError, levels } from '../shared/core/log.ts';
import { processClock } from '../shared/core/monotonic-clock.ts';
import { type LocalAgents, startAgents } from './agents.ts';
import { cachedAuthorizer } from './gateway/authorizer-cache.ts';
import { buildInfo } from '../infra/assets/build-info.ts';
import { ensureCertificate, readCertificate, watchCertificate } from './server/certificate.ts';
import { openClock, separateWrites } from './process/clock.ts';
import { START, startWith } from './process/commands.ts';
import { makeDataFolder } from './engine/make-data-folder.ts';
import type { Engine } from './engine/engine-type.ts';
import { startEngine } from './engine/engine.ts';
import { errorCode, StartFailure } from './process/failure.ts';
import { recordFormat } from './engine/folder-format.ts';
import { loadFunctions } from './gateway/functions.ts';
import { createGateway } from './gateway/gateway.ts';
import { beginsAnew, lostTable } from './new-inventory.ts';
import { startCleanup } from './jobs/scheduled-cleanup.ts';
import type { Schedule } from './process/schedule.ts';
import { startStateEvents } from './jobs/state-events.ts';
import { startExpiry } from './jobs/expired-items.ts';
import { startForcedRemovals } from './jobs/forced-removals.ts';
import { withJobs } from './jobs/jobs.ts';
import { npmEnded } from './process/npm-parent.ts';
import { readSettings, RESET_PASSWORD, type Settings } from './settings.ts';
import { createLocalServer, type LocalServer } from './server/server.ts';
import { siteRoots } from '../infra/assets/site-roots.ts';
import { databaseBytes, watchStorage } from './engine/storage.ts';
import { ensureTable } from './engine/table.ts';

/** Sets the number of partitions of changes. A refusal is a reason for the user. */
async function setChangeShards({ table, clock }: Dependencies, shards: number | undefined): Promise<void> {
  if (shards === undefined) return;
  await growChangeShards(table, shards, clock()).catch((error: unknown) => {
    throw error instanceof ShardCountError ? new StartFailure(`CHANGE_SHARDS: ${error.message}`) : error;
  });
}

/** A disabled account `admin` must not be the only way for an Admin. A refusal is a reason for the user. */
async function checkAdmins(all: Dependencies): Promise<void> {
  if (all.adminAccount !== 'disabled') return;
  const providers = identityProvidersOf(all).map(({ name }) => name);
  await requireOtherAdmin(all.table, providers).catch((error: unknown) => {
    throw error instanceof NoOtherAdmin ? new StartFailure(`ADMIN_ACCOUNT: ${error.message}`) : error;
  });
}

/** How long received requests may take when the server stops. */
const FINISH_MS = 10_000;

/** How long a stop waits until the counted refusals are written to the audit. */
const WRITE_WAITING_MS = 2000;

/** A second signal within this time counts as the first one. */
const IMPATIENT_MS = 1000;

/** The environment that the deployment sets for a function. */
async function setEnvironment({ identityProviders, adminAccount }: Settings): Promise<void> {
  const { version, commit, time } = await buildInfo();
  const environment: Environment = {
    TABLE_NAME: 'monitoring-inventory',
    SERVICE_VERSION: version,
    BUILD_COMMIT: commit,
    BUILD_TIME: time,
    // Requests are logged only on demand.
    LOG_LEVEL: levels.find((level) => level === process.env['LOG_LEVEL']) ?? 'error',
    // The text of the file that the variable may name.
    IDENTITY_PROVIDERS: identityProviders,
    ADMIN_ACCOUNT: adminAccount,
  };
  Object.assign(process.env, environment);
}

async function listen(server: Server, { host, port }: Settings): Promise<number> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const reasons: Record<string, string> = {
      EADDRINUSE: `Port ${port} is in use. Stop the program that uses it, or choose another port with PORT=8444 ${START}.`,
      EACCES: `Port ${port} requires more rights. Choose a port above 1023 with PORT=8443 ${START}.`,
      EADDRNOTAVAIL: `This machine does not have the address ${host}. Set HOST to one of its addresses, such as 127.0.0.1.`,
      ENOTFOUND: `HOST ${host} is unknown. Set it to an address of this machine, such as 127.0.0.1.`,
    };
    throw new StartFailure(reasons[errorCode(error)] ?? `Cannot listen on ${host}:${port} (${errorCode(error)}).`);
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** Shows a generated password, this once. A given password is never shown. */
function accountLine({ account, password, changed }: SetupResult, use: AdminAccountUse): string {
  if (use === 'disabled') return `${account} (disabled by ADMIN_ACCOUNT)`;
  const reset = `reset: ${startWith(RESET_PASSWORD)}`;
  if (password !== undefined) return `${account}, password ${password} (shown only once; ${reset})`;
  return changed ? `${account}, password as in ADMIN_PASSWORD (${reset})` : `${account} (${reset})`;
}

function announce({ host, adminAccount }: Settings, port: number, account: SetupResult): void {
  const name = ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(host) ? 'localhost' : host;
  const base = `https://${name}:${port}`;
  const lines = [
    `Base URL     ${base}`,
    `API browser  ${base}/swagger/`,
    `Console      ${base}/`,
    `Admin user   ${accountLine(account, adminAccount)}`,
    `Try          curl -k ${base}/v1/readyz`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Prints a line for each identity provider whose settings do not work. */
async function reportProviders(all: Dependencies): Promise<void> {
  if (identityProvidersOf(all).length === 0) return;
  const { checkProviders } = await import('../functions/identity/check-providers.ts');
  for (const problem of await checkProviders(all)) process.stderr.write(`${problem}\n`);
}

/** The dependencies of this process; the files of an embedded engine are watched. */
function servicesAt(engine: Engine, dataDir: string): Dependencies {
  const all = compose(process.env, engine.open);
  if (engine.embedded === undefined) return all;
  return { ...all, table: watchStorage(all.table, dataDir), databaseBytes: () => databaseBytes(dataDir) };
}

async function run(): Promise<void> {
  const settings = readSettings(process.env, process.argv.slice(2));
  await makeDataFolder(settings.dataDir);
  if (!process.env['DYNAMODB_ENDPOINT']) {
    const report = await beginsAnew(settings.dataDir, { wanted: settings.newInventory });
    if (report !== undefined) process.stderr.write(`${report}\n`);
  }
  const engine = await startEngine({ dataDir: settings.dataDir, environment: process.env });
  let server: LocalServer | undefined;
  let agents: LocalAgents | undefined;
  let schedules: readonly Schedule[] = [];
  let removals: { stop: () => void } | undefined;
  let writeWaiting: (() => Promise<void>) | undefined;
  let stoppingSince: number | undefined;
  const stop = async (exitCode: number) => {
    stoppingSince ??= processClock.now();
    removals?.stop();
    await agents?.stop();
    await server?.stop(FINISH_MS);
    await Promise.all(schedules.map((schedule) => schedule.stop()));
    await writeWaiting?.();
    await engine.stop();
    process.exit(exitCode);
  };
  // A terminal and npm both send a signal for one Ctrl-C. Only a later one means that the user does not want to wait.
  const onSignal = () => {
    if (stoppingSince === undefined) void stop(0);
    else if (processClock.now() - stoppingSince > IMPATIENT_MS) process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  void npmEnded(process.env).then(onSignal);
  try {
    await setEnvironment(settings);
    const services = servicesAt(engine, settings.dataDir);
    const clock = await openClock(settings.dataDir, services.log);
    separateWrites(services.table, clock);
    const all: Dependencies = { ...services, clock: clock.now, refusedConnections: () => server?.refused() ?? 0 };
    const [certificate, functions] = await Promise.all([
      settings.certificateFiles === undefined
        ? ensureCertificate(settings.dataDir, clock.now, settings.certificateNames)
        : readCertificate(settings.certificateFiles),
      loadFunctions(all),
      ensureTable(all.table, {
        mustExist: engine.embedded && !settings.newInventory ? lostTable(settings.dataDir) : undefined,
      }),
    ]);
    await claimTableFormat(all.table);
    if (engine.embedded !== undefined) await recordFormat(settings.dataDir);
    await setChangeShards(all, settings.changeShards);
    await checkAdmins(all);
    const served = withJobs(functions, all);
    const gateway = createGateway({
      ...served,
      authorizer: cachedAuthorizer(functions.authorizer, settings.authorizerCacheSeconds),
    });
    agents = startAgents(served, gateway, { log: all.log, servesPmm: all.pmmCompatibility !== false });
    const { serveHttp2, upgrades } = agents;
    const { isTrustedProxy } = settings;
    const serving = { gateway, site: siteRoots, log: all.log, serveHttp2, upgrades, isTrustedProxy };
    server = createLocalServer({ ...certificate, ...serving });
    const port = await listen(server.https, settings);
    // Last, because its password is shown once: if a start failed on the port after this, the password would be set but
    // unknown.
    const account = await initialiseTable(all, { given: settings.adminPassword, reset: settings.resetPassword });
    announce(settings, port, account);
    // A provider that does not answer delays no start: it may be back in a minute.
    reportProviders(all).catch((error: unknown) =>
      all.log({ level: 'error', message: 'identity providers were not checked', cause: describeError(error) }),
    );
    writeWaiting = () => writeWaitingRefusals(all, WRITE_WAITING_MS);
    removals = startForcedRemovals(all);
    schedules = [
      startCleanup(all, settings.cleanupMinutes),
      startStateEvents(all, settings.stateEventsMinutes),
      watchCertificate(certificate, all, settings.certificateFiles),
      clock.start(),
      ...(engine.embedded === undefined ? [] : [startExpiry(engine.embedded, all)]),
    ];
  } catch (error) {
    await engine.stop();
    if (error instanceof TableFormatError) throw new StartFailure(error.message);
    throw error instanceof TableFault ? StartFailure.table(settings.dataDir, error) : error;
  }
}

try {
  await run();
} catch (error) {
  // A failure that the user can resolve is one line. Any other error is a fault of this code, and keeps its stack.
  if (error instanceof StartFailure) process.stderr.write(`${error.message}\n`);
  else process.stderr.write(`${describeError(error)}\n`);
  process.exit(1);
}
