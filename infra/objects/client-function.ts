import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct, type IConstruct } from 'constructs';
import { type Assets, builtAssets } from '../assets/stored-assets.ts';
import type { FunctionDefaults } from '../functions/function-defaults.ts';
import { FunctionRole } from '../functions/function-role.ts';
import { InventoryFunction } from '../functions/inventory-function.ts';
import { newLog } from '../functions/log.ts';
import { readSettings } from '../settings/read-settings.ts';
import { withConstructs } from '../settings/inventory-constructs.ts';
import { type DeployedInventory, type InventoryConnection, isDeployed, secretOf } from './connection.ts';

const MEMORY_MB = 256;

/** The longest time that Lambda allows; files of many objects are reconciled in minutes. */
export const RESOURCE_TIMEOUT_SECONDS = 900;

export interface ClientFunctionProps {
  readonly inventory: InventoryConnection | DeployedInventory;
  /** The name of its bundle. */
  readonly bundle: string;
  readonly description: string;
  readonly timeoutSeconds: number;
  /** @default - none */
  readonly environment?: Readonly<Record<string, string>>;
  readonly assets: Assets | undefined;
}

/** A function that is a client of an inventory. */
export class ClientFunction extends Construct {
  readonly function: Function;
  readonly rights: FunctionRole;

  constructor(scope: Construct, id: string, props: ClientFunctionProps) {
    super(scope, id);
    const { inventory, bundle, description, timeoutSeconds, environment = {}, assets = builtAssets() } = props;
    const { vpc, vpcSubnets, securityGroups }: Partial<InventoryConnection> = isDeployed(inventory) ? {} : inventory;
    const settings = readSettings(withConstructs(this, { vpc, vpcSubnets, securityGroups }));
    const log = newLog(this, 'Log', { settings, removalPolicy: RemovalPolicy.DESTROY, key: undefined });
    const defaults: FunctionDefaults = { bundles: assets.functions, environment, log, settings };
    this.rights = new FunctionRole(this, 'Rights', { description, defaults, statements: [] });
    const { function: client } = new InventoryFunction(this, bundle, {
      defaults,
      description,
      rights: this.rights,
      memoryMb: MEMORY_MB,
      timeoutSeconds,
    });
    // Its policy contains statements that are added later.
    client.node.addDependency(this.rights);
    this.function = client;
    this.connectTo(inventory);
  }

  /** Permits reading the key of an inventory. One of this app is complete before the function. */
  connectTo(inventory: InventoryConnection | DeployedInventory): void {
    secretOf(inventory).grantRead(this.rights.role);
    if (isDeployed(inventory)) this.function.node.addDependency(inventory);
  }
}

/** The function of the custom resources of a stack; one for each VPC in which it runs. */
export function resourceFunctionIn(
  scope: IConstruct,
  inventory: InventoryConnection | DeployedInventory,
  assets: Assets | undefined,
): ClientFunction {
  const stack = Stack.of(scope);
  const network = isDeployed(inventory) ? undefined : inventory.vpc;
  const id = `InventoryResources${network === undefined ? '' : network.node.addr}`;
  const existing = stack.node.tryFindChild(id);
  if (existing instanceof ClientFunction) {
    existing.connectTo(inventory);
    return existing;
  }
  return new ClientFunction(stack, id, {
    inventory,
    assets,
    bundle: 'inventoryResources',
    description: 'Custom resources of this stack in the monitoring inventory',
    timeoutSeconds: RESOURCE_TIMEOUT_SECONDS,
  });
}
