import {
  GetRoleCommand,
  type IAMClient,
  type IAMClientConfig,
  IAMServiceException,
  NoSuchEntityException,
} from '@aws-sdk/client-iam';

/** In an isolated VPC nothing answers, and the step has less than three minutes for all its attempts. */
export const iamLimits = {
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 5000, requestTimeout: 10_000 },
} as const satisfies IAMClientConfig;

/**
 * Whether IAM has a role. A role that IAM cannot be asked about is taken as existing: IAM has an endpoint for VPCs in the
 * region of its control plane only, so that an isolated VPC elsewhere has no route to it, and a policy of the organisation
 * may deny the call. Should the role not exist, API Gateway refuses the stage next, and names the reason.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_interface_vpc_endpoints.html
 */
export async function roleExists(iam: IAMClient, arn: string): Promise<boolean> {
  try {
    // The name of a role is the last part of its ARN, after its path.
    await iam.send(new GetRoleCommand({ RoleName: arn.split('/').at(-1) }));
    return true;
  } catch (error) {
    if (error instanceof NoSuchEntityException) return false;
    if (!(error instanceof IAMServiceException) || error.name === 'AccessDenied') return true;
    throw error;
  }
}
