import { CfnFunction, type Function } from 'aws-cdk-lib/aws-lambda';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Settings } from '../settings/settings-table.ts';

type Network = Pick<Settings, 'subnetIds' | 'securityGroupIds'>;

/** Puts a function into the subnets, if there are any. Not with the CDK's `vpc`, which needs a lookup of the VPC. */
export function putInNetwork(of: Function, { subnetIds, securityGroupIds }: Network): void {
  const { defaultChild } = of.node;
  if (subnetIds === undefined || securityGroupIds === undefined || !(defaultChild instanceof CfnFunction)) return;
  defaultChild.vpcConfig = { subnetIds, securityGroupIds };
}

/**
 * Permits Lambda to manage the network interfaces of functions in a VPC. EC2 supports no resource for most of these.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html#configuration-vpc-permissions
 */
export function networkStatements({ subnetIds }: Network): PolicyStatement[] {
  if (subnetIds === undefined) return [];
  const actions = [
    'ec2:AssignPrivateIpAddresses',
    'ec2:CreateNetworkInterface',
    'ec2:DeleteNetworkInterface',
    'ec2:DescribeNetworkInterfaces',
    'ec2:DescribeSubnets',
    'ec2:UnassignPrivateIpAddresses',
  ];
  return [new PolicyStatement({ actions, resources: ['*'] })];
}
