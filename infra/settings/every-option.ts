import { agentGatewayOptions } from './agent-gateway-options.ts';
import type { InventorySettings } from './settings.ts';

/** The settings with which the template has most resources and properties, for tests. */
export const everyOption = {
  customerManagedKey: true,
  waf: true,
  ...agentGatewayOptions,
  alarmEmail: 'someone@example.com',
  provisionedConcurrency: 1,
  domainName: 'inventory.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/abc',
  hostedZoneId: 'Z0123456789',
  reportEndpoint: 'http',
  billing: 'provisioned',
  silenceAlarm: true,
  probe: true,
  stateEvents: true,
  auditEvents: true,
  auditRetentionDays: 365,
  authorizerConcurrency: 5,
  loginConcurrency: 5,
  adminAccount: 'emergency',
  accessLogBucket: 'access-logs-of-the-account',
  subnetIds: ['subnet-0123456789abcdef0'],
  securityGroupIds: ['sg-0123456789abcdef0'],
  permissionsBoundary: 'arn:aws:iam::111122223333:policy/Boundary',
  tags: { team: 'ops' },
  identityProviders: [
    {
      name: 'github',
      kind: 'jwt',
      issuer: 'https://token.actions.githubusercontent.com',
      audience: 'https://inventory.example.com',
    },
  ],
  dashboards: 'Node=https://grafana.example.com/d/node?var-node=${node_name}',
} as const satisfies InventorySettings;
