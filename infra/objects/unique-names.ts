import { Token } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import type { ObjectKind } from '../../clients/cdk/src/objects.ts';
import { valueAt } from '../../shared/core/violations.ts';
import { InvalidSettings } from '../settings/read-settings.ts';
import { type DeployedInventory, type InventoryConnection, isDeployed } from './connection.ts';

/** The path of the construct that adds an object, by inventory, kind and name; by app. */
const added = new WeakMap<IConstruct, Map<string, string>>();

const addressOf = (inventory: InventoryConnection | DeployedInventory) =>
  isDeployed(inventory) ? inventory.node.path : inventory.url;

/**
 * Records that a construct adds an object, which the deployment would refuse to a second one.
 *
 * @throws InvalidSettings if another construct of the app adds one of this name. A name that is known only at deployment is not
 *   compared.
 */
export function assertUniqueName(
  scope: IConstruct,
  inventory: InventoryConnection | DeployedInventory,
  kind: ObjectKind,
  object: object,
): void {
  const field = `${kind}_name`;
  const name = valueAt(object, [field]);
  if (typeof name !== 'string' || Token.isUnresolved(name)) return;
  const { path, root } = scope.node;
  const names = added.get(root) ?? new Map<string, string>();
  added.set(root, names);
  const key = JSON.stringify([addressOf(inventory), kind, name]);
  const other = names.get(key);
  if (other !== undefined)
    throw new InvalidSettings([
      `${path}: ${kind}.${field}: ${other} adds "${name}" to the same inventory already. Give it another name, or refer to that construct.`,
    ]);
  names.set(key, path);
}
