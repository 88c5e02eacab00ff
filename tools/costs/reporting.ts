import { timerSeconds } from '../../functions/domain/fields/liveness.ts';

/** How hosts report, and which parts of a report are billed. */
export interface Reporting {
  /** Time between two reports of a host. */
  intervalSeconds: number;
  /** A report without news is written only if the last written one is at least this old; 0: every report is written. */
  writeAfterSeconds: number;
  /** How long the gateway caches the result of the authorizer for a key. */
  authorizerCacheSeconds: number;
  /** Hosts in one request of a relay. */
  hostsPerRequest: number;
  /** Whether hosts use CloudFront or the address of the API itself. */
  throughCloudFront: boolean;
  /** X-Ray records the first traces of each second, and this share of the others. */
  traced: { perSecond: number; share: number };
  /** Whether the function logs a report without news. The gateway logs every request. */
  functionLogs: boolean;
}

const STALE_AFTER_SECONDS = timerSeconds('10m') ?? NaN;

/** The values from which docs/costs.md computes fleets. */
export const reporting: Reporting = {
  // A host that misses one report is not stale yet.
  intervalSeconds: 0.4 * STALE_AFTER_SECONDS,
  writeAfterSeconds: 0.5 * STALE_AFTER_SECONDS,
  authorizerCacheSeconds: 300,
  hostsPerRequest: 500,
  throughCloudFront: false,
  traced: { perSecond: 0, share: 0.001 },
  functionLogs: false,
};
