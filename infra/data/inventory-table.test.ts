import { resourceAt, synthesise } from '../synthesis/synthesise.ts';
import { InvalidSettings, readSettings } from '../settings/read-settings.ts';

const tableOf = (settings: Parameters<typeof synthesise>[0]): any =>
  resourceAt(synthesise(settings), 'Table/Resource').properties;

const scaling = (MinCapacity: number, MaxCapacity: number) => ({
  MinCapacity,
  MaxCapacity,
  SeedCapacity: MinCapacity,
  TargetTrackingScalingPolicyConfiguration: { TargetValue: 80 },
});

test('provisioned capacity follows the use between the limits, of the table and of each index', () => {
  const limits = { minReadUnits: 300, maxReadUnits: 6000, minWriteUnits: 100, maxWriteUnits: 2000 };
  const { BillingMode, Replicas, ...table } = tableOf({ billing: 'provisioned', ...limits });
  expect(BillingMode).toBe('PROVISIONED');
  const [replica] = Replicas;
  expect(replica.ReadProvisionedThroughputSettings.ReadCapacityAutoScalingSettings).toEqual(scaling(300, 6000));
  expect(table.WriteProvisionedThroughputSettings.WriteCapacityAutoScalingSettings).toEqual(scaling(100, 2000));
  expect(replica.GlobalSecondaryIndexes).toHaveLength(2);
  for (const index of replica.GlobalSecondaryIndexes)
    expect(index.ReadProvisionedThroughputSettings.ReadCapacityAutoScalingSettings).toEqual(scaling(30, 6000));
  for (const index of table.GlobalSecondaryIndexes)
    expect(index.WriteProvisionedThroughputSettings.WriteCapacityAutoScalingSettings).toEqual(scaling(10, 2000));
});

test('by default the table is billed on demand, without capacity', () => {
  const text = JSON.stringify(tableOf({}));
  expect(text).toContain('"BillingMode":"PAY_PER_REQUEST"');
  expect(text).not.toMatch(/Capacity/);
});

test('writes beyond the capacity raise an alarm', () => {
  const { properties } = resourceAt(synthesise({ billing: 'provisioned' }), 'Operations/CapacityIsUsedUp/Resource');
  expect(properties).toMatchObject({ MetricName: 'WriteThrottleEvents', Namespace: 'AWS/DynamoDB' });
});

test.each([
  [{ billing: 'reserved' }, 'billing is "reserved", but must be "onDemand" or "provisioned"'],
  [{ minReadUnits: 100 }, 'minReadUnits is for provisioned billing'],
  [{ billing: 'provisioned', minWriteUnits: 5000 }, 'Set maxWriteUnits to 5000 or more'],
  [
    { billing: 'provisioned', maxReadUnits: 40_001 },
    'maxReadUnits is 40001, but must be a whole number from 1 to 40000',
  ],
])('%j is refused: %s', (settings, text) => {
  expect(() => readSettings(settings as object)).toThrow(InvalidSettings);
  expect(() => readSettings(settings as object)).toThrow(text);
});
