import type { InventorySettings } from './settings.ts';

/** The settings of an agent gateway, for tests. */
export const agentGatewayOptions = {
  agentGateway: true,
  agentGatewayDomainName: 'agents.example.com',
  agentGatewayCertificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/abc',
} as const satisfies InventorySettings;

/** In private subnets of the operator. */
export const privateAgentGatewayOptions = {
  ...agentGatewayOptions,
  agentGatewayVpcId: 'vpc-0123456789abcdef0',
  agentGatewaySubnetIds: ['subnet-0123456789abcdef0', 'subnet-1123456789abcdef0'],
} as const satisfies InventorySettings;
