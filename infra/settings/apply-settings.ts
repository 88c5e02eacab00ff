import { Tags } from 'aws-cdk-lib';
import { ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Settings } from './settings-table.ts';

/** Applies the settings of every resource. */
export function applySettings(scope: Construct, { permissionsBoundary, tags = {} }: Settings): void {
  for (const [name, value] of Object.entries(tags)) Tags.of(scope).add(name, value);
  if (permissionsBoundary !== undefined)
    PermissionsBoundary.of(scope).apply(ManagedPolicy.fromManagedPolicyArn(scope, 'Boundary', permissionsBoundary));
}
