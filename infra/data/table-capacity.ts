import { Capacity } from 'aws-cdk-lib/aws-dynamodb';
import type { Settings } from '../settings/settings-table.ts';

/**
 * Of the provisioned capacity, in percent: until more is added, which takes minutes, the rest
 * serves, and what was not used in the last five minutes.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html
 */
export const TARGET_UTILIZATION = 80;

/** An index takes no reports, and a small part of the other requests. */
export const SHARE_OF_INDEX = 0.1;

export type CapacitySettings = Pick<
  Settings,
  'billing' | 'minReadUnits' | 'maxReadUnits' | 'minWriteUnits' | 'maxWriteUnits'
>;

/** Capacity that follows the use. A table that was billed on demand begins with the least. */
function following(least: number, maxCapacity: number, share = 1): Capacity {
  const minCapacity = Math.max(1, Math.round(least * share));
  return Capacity.autoscaled({
    minCapacity,
    maxCapacity,
    seedCapacity: minCapacity,
    targetUtilizationPercent: TARGET_UTILIZATION,
  });
}

/** The provisioned capacity of the table, or of an index with a share of it. */
export const provisioned = (
  { minReadUnits, maxReadUnits, minWriteUnits, maxWriteUnits }: CapacitySettings,
  share = 1,
) => ({
  readCapacity: following(minReadUnits, maxReadUnits, share),
  writeCapacity: following(minWriteUnits, maxWriteUnits, share),
});
