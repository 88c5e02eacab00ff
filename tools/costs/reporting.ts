import { MAX_REPORTS } from '../../functions/domain/agent/report.ts';
import { lifeOf, REPORT_SHARE, STORED_SHARE } from '../../functions/domain/fields/liveness.ts';
import { LAST_REPORTED_EVERY_SECONDS, LAST_USED_EVERY_SECONDS } from '../../functions/store/credentials/api-key-use.ts';
import type { Settings } from '../../infra/settings/settings-table.ts';
import { readSettings } from '../../infra/settings/read-settings.ts';

/** How hosts report, and which parts of a report are billed. */
export interface Reporting {
  /** Time between two reports of a host. */
  intervalSeconds: number;
  /** A report without news is written only if the last written one is at least this old; 0: every report is written. */
  writeAfterSeconds: number;
  /** How long the gateway caches the result of the authorizer for a key. */
  authorizerCacheSeconds: number;
  /** How often the authorizer writes the last use of the key of a host, and of a relay, at most. */
  lastUseSeconds: Record<'direct' | 'relayed', number>;
  /** Hosts in one request of a relay. */
  hostsPerRequest: number;
  /** Whether hosts use CloudFront or the address of the API itself. */
  throughCloudFront: boolean;
  /** X-Ray records the first traces of each second, and this share of the others. */
  traced: { perSecond: number; share: number };
  /** Whether the function logs a report without news. The gateway logs every request. */
  functionLogs: boolean;
  /** The API that hosts report to (setting `reportEndpoint`). */
  endpoint: Settings['reportEndpoint'];
  /** How requests to the table are billed (setting `billing`). */
  billing: Settings['billing'];
}

const { staleAfter } = lifeOf({});

const defaults = readSettings({});

/** The values from which docs/costs.md computes fleets. */
export const reporting: Reporting = {
  intervalSeconds: REPORT_SHARE * staleAfter,
  writeAfterSeconds: STORED_SHARE * staleAfter,
  authorizerCacheSeconds: defaults.authorizerCacheSeconds,
  lastUseSeconds: { direct: LAST_REPORTED_EVERY_SECONDS, relayed: LAST_USED_EVERY_SECONDS },
  hostsPerRequest: MAX_REPORTS,
  throughCloudFront: false,
  // X-Ray records no traces of reports (infra/functions/inventory-functions.ts).
  traced: { perSecond: 0, share: 0 },
  functionLogs: false,
  endpoint: defaults.reportEndpoint,
  billing: defaults.billing,
};

/** The same with the settings for a large fleet of hosts that report for themselves. */
export const tuned: Reporting = { ...reporting, endpoint: 'http', billing: 'provisioned' };
