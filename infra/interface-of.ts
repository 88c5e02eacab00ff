/** An interface whose optional properties may also be there and undefined. */
type Loose<Interface> = {
  [Name in keyof Interface]: undefined extends Interface[Name] ? Interface[Name] | undefined : Interface[Name];
};

/**
 * A construct as what the CDK takes it for. The CDK is compiled without exactOptionalPropertyTypes: its Bucket has
 * `isWebsite: boolean | undefined` where its IBucket has `isWebsite?: boolean`, so that TypeScript does not take the one for
 * the other. Nothing else is let through.
 */
export function interfaceOf<Interface extends object>(construct: Loose<Interface>): Interface;
export function interfaceOf(construct: object): object {
  return construct;
}
