import { Aws, Fn, Names } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * A name that no other stack of the account and region has, and that is the same in each deployment. CloudFormation
 * inserts the name of the stack, so one template can be deployed several times.
 */
export function regionalName(of: IConstruct): string {
  const suffix = Names.uniqueResourceName(of, { maxLength: 64 }).slice(-8);
  return `${Aws.STACK_NAME}-${suffix}`;
}

/** The last part of the stack's id, which is a UUID of 36 characters; the name of a stack may have 128. */
const stackUuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));

/**
 * A name for a resource of CloudFront, whose names are unique in an account with all its regions, and have at most 64
 * characters.
 *
 * @param purpose at most 12 letters.
 */
export function globalName(purpose: string): string {
  return `${Aws.REGION}-${purpose}-${stackUuid}`;
}

/**
 * A name of at most 32 characters that no other stack of the account and region has.
 *
 * @param purpose at most 19 letters.
 */
export function shortName(purpose: string): string {
  return `${purpose}-${Fn.select(4, Fn.split('-', stackUuid))}`;
}
