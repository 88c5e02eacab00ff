import { Aws, Duration, Stack } from 'aws-cdk-lib';
import type { AutoScalingGroup, IAutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import {
  GROUP_LABEL,
  objectsOf as instanceObjects,
  type InstanceObjects,
  LAUNCHED,
  PLACEHOLDERS,
  TERMINATED,
} from '../../clients/cdk/src/auto-scaling.ts';
import type { AddGenericNode, DesiredAgent, DesiredService } from '../../clients/typescript/src/generated/types.ts';
import type { Assets } from '../assets/stored-assets.ts';
import { InvalidSettings } from '../settings/read-settings.ts';
import { checkObject } from './check-object.ts';
import { ClientFunction } from './client-function.ts';
import { connectionProperties, type DeployedInventory, type InventoryConnection, isDeployed } from './connection.ts';
import { placeOf } from './agent-place.ts';

/** The whole group is compared at this interval: an event that was lost counts then. */
const COMPARE_MINUTES = 15;

/** Of a group of 500 instances. */
const TIMEOUT_SECONDS = 300;

export interface InventoryAutoScalingGroupProps {
  /** The inventory, as of the other constructs. */
  readonly inventory: InventoryConnection | DeployedInventory;
  readonly autoScalingGroup: IAutoScalingGroup | AutoScalingGroup;
  /**
   * Fields of the node of each instance. Texts of all objects here can contain `{instance_id}`, `{region}` and
   * `{availability_zone}`; names contain `{instance_id}`. With the connection, all objects have at most 4 KB, the limit of the
   * environment of a function.
   *
   * @default - name and address are the id of the instance; with its region, zone, and the label `autoscaling_group`
   */
  readonly node?: Partial<AddGenericNode> | undefined;
  /**
   * Services of each instance. Without `node_names`, a service runs on the node of the instance.
   *
   * @default - none
   */
  readonly services?: readonly DesiredService[] | undefined;
  /**
   * Agents of each instance. One with a `pmm_agent` follows it in the list.
   *
   * @default - none
   */
  readonly agents?: readonly DesiredAgent[] | undefined;
  /**
   * The bundled functions.
   *
   * @default - those of this package; a checkout has none, and `buildAssets()` makes them
   */
  readonly assets?: Assets | undefined;
}

/** @throws InvalidSettings */
function checkName(scope: Construct, field: string, name: string): void {
  if (name.split(PLACEHOLDERS.instance).length === 2) return;
  throw new InvalidSettings([
    `${scope.node.path}: ${field} is ${JSON.stringify(name)}, but must contain ${PLACEHOLDERS.instance} once.`,
  ]);
}

/** The objects, by the rules of the server. @throws InvalidSettings */
function objectsOf(scope: Construct, props: InventoryAutoScalingGroupProps): InstanceObjects {
  const { autoScalingGroup, node: given = {}, services = [], agents = [] } = props;
  const { instance, region, zone } = PLACEHOLDERS;
  const node = {
    node_type: 'generic' as const,
    node_name: instance,
    address: instance,
    region,
    az: zone,
    ...given,
    custom_labels: { ...given.custom_labels, [GROUP_LABEL]: autoScalingGroup.autoScalingGroupName },
  };
  const objects: InstanceObjects = {
    node,
    services: services.map((service) => ({ node_names: [node.node_name], ...service })),
    agents: agents.map((agent) => ({ object: { ...agent }, ...placeOf(agent) })),
  };
  checkName(scope, 'node.node_name', node.node_name);
  for (const { service_name: name } of services) checkName(scope, 'service.service_name', name);
  const example = instanceObjects({ objects, region: 'eu-west-1' }, { id: 'i-0123456789abcdef0', zone: 'eu-west-1a' });
  checkObject(scope, 'node', example.node);
  for (const service of example.services) checkObject(scope, 'service', service);
  for (const { object } of example.agents) checkObject(scope, 'agent', object);
  return objects;
}

/** Keeps the instances of an autoscaling group in the inventory, each with its services and agents. */
export class InventoryAutoScalingGroup extends Construct {
  /** Contains the events that the function could not process. */
  readonly failedEvents: Queue;

  constructor(scope: Construct, id: string, props: InventoryAutoScalingGroupProps) {
    super(scope, id);
    const { inventory, autoScalingGroup, assets } = props;
    const group = autoScalingGroup.autoScalingGroupName;
    const objects = objectsOf(this, props);
    const settings = { group, connection: connectionProperties(this, inventory), objects };
    if (isDeployed(inventory)) inventory.objectsKey().addUser(this, settings);
    const { function: follow, rights } = new ClientFunction(this, 'Client', {
      inventory,
      assets,
      bundle: 'followScaling',
      description: 'Follows an autoscaling group in the monitoring inventory',
      timeoutSeconds: TIMEOUT_SECONDS,
      environment: { SETTINGS: Stack.of(this).toJsonString(settings), URL_SUFFIX: Aws.URL_SUFFIX },
    });
    this.failedEvents = new Queue(this, 'FailedEvents', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    // The first action supports no resources.
    for (const [action, resource] of [
      ['autoscaling:DescribeAutoScalingGroups', '*'],
      ['sqs:SendMessage', this.failedEvents.queueArn],
    ] as const)
      rights.role.addToPrincipalPolicy(new PolicyStatement({ actions: [action], resources: [resource] }));
    follow.configureAsyncInvoke({ retryAttempts: 2, onFailure: new SqsDestination(this.failedEvents) });
    new Rule(this, 'Events', {
      description: 'Instances that were launched or terminated',
      eventPattern: {
        source: ['aws.autoscaling'],
        detailType: [LAUNCHED, TERMINATED],
        detail: { AutoScalingGroupName: [group] },
      },
      targets: [new LambdaFunction(follow)],
    });
    new Rule(this, 'Comparison', {
      description: 'Compares the group with the inventory',
      schedule: Schedule.rate(Duration.minutes(COMPARE_MINUTES)),
      targets: [new LambdaFunction(follow)],
    });
  }
}
