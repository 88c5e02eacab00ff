import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { ObjectKind, ObjectRequest } from '../../clients/cdk/src/objects.ts';
import type { AgentPlace } from '../../clients/cdk/src/references.ts';
import type { AddNode, DesiredAgent, DesiredService } from '../../clients/typescript/src/generated/types.ts';
import { placeOf } from './agent-place.ts';
import { checkObject } from './check-object.ts';
import { assertUniqueName } from './unique-names.ts';
import { InventoryResource, type InventoryResourceProps } from './inventory-resource.ts';

export interface InventoryObjectProps extends InventoryResourceProps {
  /**
   * Whether the objects that depend on this one are removed with it. Otherwise its deletion fails while there are any.
   *
   * @default false
   */
  readonly removeDependants?: boolean | undefined;
}

export interface InventoryNodeProps extends InventoryObjectProps {
  /** Its fields, as in an add. Values of other constructs (tokens) are possible, except for the type. */
  readonly node: AddNode;
}

export interface InventoryServiceProps extends InventoryObjectProps {
  /** Its fields, as in a desired state: it refers to its nodes by name. */
  readonly service: DesiredService;
}

export interface InventoryAgentProps extends InventoryObjectProps {
  /** Its fields, as in a desired state: it refers to its node and its targets by name. */
  readonly agent: DesiredAgent;
}

/** An object that the stack keeps in the inventory. */
abstract class InventoryObject extends InventoryResource {
  protected constructor(
    scope: Construct,
    id: string,
    [type, kind, object]: readonly [type: string, kind: ObjectKind, object: object],
    { removeDependants = false, ...props }: InventoryObjectProps,
    place: AgentPlace = { place: 'anywhere', watchesItsNode: false },
  ) {
    const request: Omit<ObjectRequest, 'existing'> = { kind, object: { ...object }, force: removeDependants, ...place };
    super(scope, id, type, props, { Object: Stack.of(scope).toJsonString(request) });
    checkObject(this, kind, object, props.existing);
    if (props.existing !== 'adopt') assertUniqueName(this, props.inventory, kind, object);
  }
}

/** A node of the inventory. */
export class InventoryNode extends InventoryObject {
  /** Its name. Objects that refer to it with this value are deployed after it. */
  readonly nodeName: string;
  readonly nodeId: string;

  constructor(scope: Construct, id: string, { node, ...props }: InventoryNodeProps) {
    super(scope, id, ['InventoryNode', 'node', node], props);
    this.nodeName = this.resource.getAttString('Name');
    this.nodeId = this.resource.getAttString('Id');
  }
}

/** A service of the inventory. */
export class InventoryService extends InventoryObject {
  /** Its name. Agents that refer to it with this value are deployed after it. */
  readonly serviceName: string;
  readonly serviceId: string;

  constructor(scope: Construct, id: string, { service, ...props }: InventoryServiceProps) {
    super(scope, id, ['InventoryService', 'service', service], props);
    this.serviceName = this.resource.getAttString('Name');
    this.serviceId = this.resource.getAttString('Id');
  }
}

/** An agent of the inventory. */
export class InventoryAgent extends InventoryObject {
  readonly agentId: string;

  constructor(scope: Construct, id: string, { agent, ...props }: InventoryAgentProps) {
    super(scope, id, ['InventoryAgent', 'agent', agent], props, placeOf(agent));
    this.agentId = this.resource.getAttString('Id');
  }
}
