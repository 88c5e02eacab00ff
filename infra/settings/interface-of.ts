/** An interface whose optional properties may also be present with the value undefined. */
type Loose<Interface> = {
  [Name in keyof Interface]: undefined extends Interface[Name] ? Interface[Name] | undefined : Interface[Name];
};

/**
 * Converts a construct to an interface of the CDK. The CDK is compiled without exactOptionalPropertyTypes: its Bucket
 * has `isWebsite: boolean | undefined` where its IBucket has `isWebsite?: boolean`, so TypeScript does not accept a
 * Bucket as an IBucket. Other differences are still errors.
 */
export function interfaceOf<Interface extends object>(construct: Loose<Interface>): Interface;
export function interfaceOf(construct: object): object {
  return construct;
}
