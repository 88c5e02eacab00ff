import type { InventorySettings } from './settings.ts';

/** The settings with which the template has most resources, for tests. */
export const everyOption = {
  customerManagedKey: true,
  waf: true,
  alarmEmail: 'someone@example.com',
  provisionedConcurrency: 1,
  domainName: 'inventory.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/abc',
  hostedZoneId: 'Z0123456789',
} as const satisfies InventorySettings;
