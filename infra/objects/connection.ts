import { Token } from 'aws-cdk-lib';
import type { ISecurityGroup, IVpc, SubnetSelection } from 'aws-cdk-lib/aws-ec2';
import type { ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { IConstruct } from 'constructs';
import { baseAddressOf } from '../../clients/typescript/src/permanent.ts';
import { InvalidSettings } from '../settings/read-settings.ts';
import type { ObjectsKey } from './objects-key.ts';

/** An inventory, and the secret with a key of it. */
export interface InventoryConnection {
  /** Base of request URLs, such as `https://inventory.example.com`. */
  readonly url: string;
  /**
   * Contains an API key with the role Editor. The function reads it at run time: it is in no template, event or log. A
   * rotated key counts at the next deployment.
   */
  readonly keySecret: ISecret | Secret;
  /**
   * The field of a secret that is a JSON object.
   *
   * @default - the whole secret is the key
   */
  readonly keyField?: string | undefined;
  /**
   * The certificate, in PEM, of the authority that signed the certificate of the inventory.
   *
   * @default - public authorities
   */
  readonly ca?: string | undefined;
  /**
   * VPC of the function, for an inventory that has no public address. It needs a route to Secrets Manager, and for
   * files to S3.
   *
   * @default - none
   */
  readonly vpc?: IVpc | undefined;
  /**
   * Subnets of the VPC; not public ones, in which functions have no route to the internet.
   *
   * @default - the private subnets
   */
  readonly vpcSubnets?: SubnetSelection | undefined;
  /**
   * Security groups of the function.
   *
   * @default - a new one that permits every outbound connection
   */
  readonly securityGroups?: readonly ISecurityGroup[] | undefined;
}

/** A `MonitoringInventory` of the same app. */
export interface DeployedInventory extends IConstruct {
  readonly machineUrl: string;
  readonly objectsKey: () => ObjectsKey;
}

export const isDeployed = (inventory: InventoryConnection | DeployedInventory): inventory is DeployedInventory =>
  'objectsKey' in inventory;

export const secretOf = (inventory: InventoryConnection | DeployedInventory): ISecret | Secret =>
  isDeployed(inventory) ? inventory.objectsKey().secret : inventory.keySecret;

/** @throws InvalidSettings if the text is no address. One that is known only at deployment is checked then. */
function addressIn(scope: IConstruct, url: string): string {
  if (Token.isUnresolved(url)) return url;
  try {
    return baseAddressOf(url, 'inventory.url');
  } catch (error) {
    throw new InvalidSettings([`${scope.node.path}: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

/** The properties of a resource that the function connects with (clients/cdk/src/connection.ts). */
export function connectionProperties(
  scope: IConstruct,
  inventory: InventoryConnection | DeployedInventory,
): Record<string, string> {
  const SecretArn = secretOf(inventory).secretArn;
  if (isDeployed(inventory)) return { Url: inventory.machineUrl, SecretArn };
  const { url, keyField, ca } = inventory;
  return {
    Url: addressIn(scope, url),
    SecretArn,
    ...(keyField === undefined ? {} : { SecretField: keyField }),
    ...(ca === undefined ? {} : { Ca: ca }),
  };
}
