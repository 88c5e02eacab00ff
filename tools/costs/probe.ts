import { PROBE_MINUTES } from '../../functions/domain/records/probe.ts';
import { PROBE_MEMORY_MB } from '../../infra/functions/function-size.ts';
import { MONTH_SECONDS } from './fleets.ts';
import { plus, times, type Usage } from './prices.ts';
import { callUsage, logLineBytes, logUsage } from './requests.ts';

/** The number of alarms of a probe; a test compares it with the stack. */
export const PROBE_ALARMS = 2;

const CALLS = MONTH_SECONDS / 60 / PROBE_MINUTES;

/** Of a reply of readiness with its headers, through CloudFront. */
const REPLY_BYTES = 1000;

/** An upper bound of what a call waits, mostly for connections. */
const CALL_SECONDS = 0.5;

/** A month of an inventory that the probe asks. */
export const askedInventory: Usage = times(
  plus(
    callUsage({ function: 'getReadiness', request: 'any', cpuMs: 1.7 }),
    { gatewayRequests: 1, cloudFrontRequests: 1, cloudFrontFunctions: 1, cloudFrontBytes: REPLY_BYTES },
    logUsage(logLineBytes.gateway + logLineBytes.function),
  ),
  CALLS,
);

/** A month of the probe itself, which asks up to ten inventories in a call. */
export const probeAtRest: Usage = plus(
  times({ lambdaRequests: 1, lambdaGbSeconds: CALL_SECONDS * (PROBE_MEMORY_MB / 1024) }, CALLS),
  { alarms: PROBE_ALARMS },
);
