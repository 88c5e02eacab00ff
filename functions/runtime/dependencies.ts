import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { RandomBytes } from '../../shared/auth/base62.ts';
import { openTable, type Table } from '../../shared/db/table.ts';
import { processClock } from '../../shared/core/monotonic-clock.ts';
import { timeOfDay } from '../../shared/core/time-of-day.ts';
import { countRepeats } from '../../shared/core/count-repeats.ts';
import { type DashboardLinks, parseDashboardLinks } from '../domain/fields/dashboard-links.ts';
import { type AdminAccountUse, adminAccountUses } from '../domain/access/admin-account.ts';
import { CHANGE_DAYS, MAX_CHANGE_DAYS } from '../domain/records/retention.ts';
import { keepRecordsFor } from '../store/table/record-retention.ts';
import { DEFAULT_OWNER_LABEL } from '../domain/fields/owner-label.ts';
import type { CheckPassword } from '../../shared/auth/check-password.ts';
import { formatCheckedFirst } from '../store/table/format.ts';
import { jsonLog, levels, type Log } from '../../shared/core/log.ts';

/** The dependencies of all handlers, which tests replace. Created in this file only. */
export interface Dependencies {
  table: Table;
  clock: () => Date;
  newId: () => string;
  randomBytes: RandomBytes;
  log: Log;
  build: { version: string; commit: string; time: string };
  /** The number of connections that the server has refused; only on a server with a limit of its own. */
  refusedConnections?: () => number;
  /** The size of the database; only where it is a file of this machine. */
  databaseBytes?: () => number;
  /**
   * How log-ins check passwords. Default: a check without a limit, because a deployed function handles one request at a
   * time.
   */
  checkPassword?: CheckPassword;
  /** Links of the console to dashboards. Default: none. */
  dashboards?: DashboardLinks;
  /** Whether the calls of PMM's clients are served. Default: true. */
  pmmCompatibility?: boolean;
  /** Base URL of the API for reports, if it is another one. */
  reportUrl?: string | undefined;
  /** The most bytes of the objects of one reply. Default: a share of the heap. */
  maxBytes?: number;
  /** The label whose values are owners. Default: `team`. */
  ownerLabel?: string;
  /** The identity providers, as JSON: only functions that need them parse it (identity-providers.ts). Default: none. */
  identityProviders?: string;
  /** The use of the account `admin`. Default: `enabled`. */
  adminAccount?: AdminAccountUse;
}

/** The environment of the functions: the deployment sets exactly these variables. */
const environmentSchema = z.object({
  TABLE_NAME: z.string(),
  // Each build has other values: of functions that state the build only, so that a build replaces no others.
  SERVICE_VERSION: z._default(z.string(), ''),
  BUILD_COMMIT: z._default(z.string(), ''),
  BUILD_TIME: z._default(z.string(), ''),
  LOG_LEVEL: z._default(z.enum(levels), 'info'),
  DASHBOARDS: z.optional(z.string()),
  PMM_COMPATIBILITY: z.optional(z.string()),
  OWNER_LABEL: z.optional(z.string()),
  REPORT_URL: z.optional(z.string()),
  IDENTITY_PROVIDERS: z.optional(z.string()),
  AUDIT_RETENTION_DAYS: z._default(
    z.pipe(z.transform(Number), z.int().check(z.minimum(CHANGE_DAYS), z.maximum(MAX_CHANGE_DAYS))),
    CHANGE_DAYS,
  ),
  ADMIN_ACCOUNT: z._default(z.enum(adminAccountUses), 'enabled'),
});

export type Environment = z.input<typeof environmentSchema>;

/** @param open opens the table of this name. */
export function compose(environment: NodeJS.ProcessEnv, open: (name: string) => Table): Dependencies {
  const settings = z.parse(environmentSchema, environment);
  keepRecordsFor(settings.AUDIT_RETENTION_DAYS);
  return {
    table: { ...open(settings.TABLE_NAME), monotonic: processClock },
    clock: timeOfDay,
    newId: randomUUID,
    randomBytes,
    log: countRepeats(jsonLog((line) => process.stderr.write(line), settings.LOG_LEVEL)),
    dashboards: parseDashboardLinks(settings.DASHBOARDS ?? '') ?? {},
    ownerLabel: settings.OWNER_LABEL || DEFAULT_OWNER_LABEL,
    identityProviders: settings.IDENTITY_PROVIDERS ?? '',
    adminAccount: settings.ADMIN_ACCOUNT,
    reportUrl: settings.REPORT_URL,
    pmmCompatibility: settings.PMM_COMPATIBILITY !== 'false',
    build: { version: settings.SERVICE_VERSION, commit: settings.BUILD_COMMIT, time: settings.BUILD_TIME },
  };
}

let composed: Dependencies | undefined;

/** The dependencies of this function, created at the first call. */
export function createDependencies(): Dependencies {
  composed ??= compose(process.env, (name) => formatCheckedFirst(openTable(name, process.env)));
  return composed;
}
