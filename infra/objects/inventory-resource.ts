import { CustomResource, Duration, type RemovalPolicy } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { Existing } from '../../clients/cdk/src/ownership.ts';
import type { Assets } from '../assets/stored-assets.ts';
import { type ClientFunction, RESOURCE_TIMEOUT_SECONDS, resourceFunctionIn } from './client-function.ts';
import { connectionProperties, type DeployedInventory, type InventoryConnection, isDeployed } from './connection.ts';

/** The props of all objects of a stack in an inventory. */
export interface InventoryResourceProps {
  /**
   * The inventory: its address and a secret with an API key; or a `MonitoringInventory` of the same app, which makes a key with
   * the role Editor for all objects of the app.
   */
  readonly inventory: InventoryConnection | DeployedInventory;
  /**
   * Treatment of an object that exists, and that this resource did not add. `refuse`: the deployment fails, and the object stays
   * as it is. `adopt`: the object is changed, and stays when the resource is deleted.
   *
   * @default 'refuse'
   */
  readonly existing?: Existing | undefined;
  /**
   * Whether objects stay when the resource is deleted: `RemovalPolicy.RETAIN`.
   *
   * @default RemovalPolicy.DESTROY
   */
  readonly removalPolicy?: RemovalPolicy | undefined;
  /**
   * The bundled functions.
   *
   * @default - those of this package; a checkout has none, and `buildAssets()` makes them
   */
  readonly assets?: Assets | undefined;
}

/** A custom resource of the function of the stack. */
export class InventoryResource extends Construct {
  readonly resource: CustomResource;
  readonly function: ClientFunction;

  /** @param type of the resource in the template. */
  constructor(
    scope: Construct,
    id: string,
    type: string,
    { inventory, existing = 'refuse', removalPolicy, assets }: InventoryResourceProps,
    properties: Readonly<Record<string, string>>,
  ) {
    super(scope, id);
    this.function = resourceFunctionIn(this, inventory, assets);
    const all = { ...connectionProperties(this, inventory), Existing: existing, ...properties };
    if (isDeployed(inventory)) inventory.objectsKey().addUser(this, all);
    this.resource = new CustomResource(this, 'Resource', {
      serviceToken: this.function.function.functionArn,
      resourceType: `Custom::${type}`,
      // Longer than the function: a reply that is lost fails the deployment then, and not after an hour.
      serviceTimeout: Duration.seconds(RESOURCE_TIMEOUT_SECONDS + 60),
      properties: all,
      ...(removalPolicy === undefined ? {} : { removalPolicy }),
    });
    // The policy of the role is complete before the first event.
    this.resource.node.addDependency(this.function.rights);
  }
}
