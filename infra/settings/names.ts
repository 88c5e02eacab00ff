import { Aws, Fn, Names, Stack } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Eight characters that differ between the inventories of a stack, and are the same in each deployment. */
const pathHash = (of: IConstruct) => Names.uniqueResourceName(of, { maxLength: 64 }).slice(-8);

/** The last part of the stack's id, which is a UUID; the name of a stack may have 128 characters. */
const stackUuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));

/**
 * A name that nothing else in the account and region has. CloudFormation inserts the name of the stack, so one template
 * can be deployed several times.
 */
export function regionalName(of: IConstruct): string {
  return `${Aws.STACK_NAME}-${pathHash(of)}`;
}

/**
 * A name that no former stack with this name has used either, whose resources may have been retained.
 *
 * @param of see `regionalName`.
 */
export function lastingName(of: IConstruct): string {
  return `${regionalName(of)}-${Fn.select(4, Fn.split('-', stackUuid))}`;
}

/** The same name for the template of another stack. The name of the own stack must be known at the synthesis. */
export function regionalNameElsewhere(of: IConstruct): string {
  return `${Stack.of(of).stackName}-${pathHash(of)}`;
}

/**
 * A name for a resource of CloudFront, whose names are unique in an account with all its regions, and have at most 64
 * characters. That of a region has up to 15, the UUID without its dashes 32.
 *
 * @param purpose at most 7 letters.
 */
export function globalName(of: IConstruct, purpose: string): string {
  return `${Aws.REGION}-${purpose}-${pathHash(of)}${Fn.join('', Fn.split('-', stackUuid))}`;
}

/**
 * A name of at most 32 characters that nothing else in the account and region has.
 *
 * @param purpose at most 10 letters.
 */
export function shortName(of: IConstruct, purpose: string): string {
  return `${purpose}-${pathHash(of)}-${Fn.select(4, Fn.split('-', stackUuid))}`;
}
