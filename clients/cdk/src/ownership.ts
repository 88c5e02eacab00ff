import { type Fields, isFields } from './fields.ts';

/** The label by which a resource of CloudFormation recognises the objects that it added. */
export const OWNER_LABEL = 'cloudformation_resource';

/** An object that exists already is refused, or the resource changes it and leaves it when the resource is deleted. */
export type Existing = 'refuse' | 'adopt';

/** The value of the label: name and id of the stack, and the logical id of the resource. */
export function ownerOf({ StackId, LogicalResourceId }: { StackId: string; LogicalResourceId: string }): string {
  const [, stack = StackId] = StackId.split(':stack/');
  return `${stack}/${LogicalResourceId}`;
}

/** The resource that added an object; undefined if none did. */
export function recordedOwner(object: Fields): string | undefined {
  const { custom_labels: labels } = object;
  const owner = isFields(labels) ? labels[OWNER_LABEL] : undefined;
  return typeof owner === 'string' ? owner : undefined;
}

/** The object with the label of its owner. */
export function withOwner<Labelled extends { custom_labels?: unknown }>(object: Labelled, owner: string) {
  const { custom_labels: labels } = object;
  return { ...object, custom_labels: { ...(isFields(labels) ? labels : {}), [OWNER_LABEL]: owner } };
}
