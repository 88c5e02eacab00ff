import { Validations } from 'aws-cdk-lib';
import {
  type ISubnet,
  type IVpc,
  Peer,
  Port,
  SecurityGroup,
  Subnet,
  type SubnetSelection,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { Construct, type IConstruct } from 'constructs';
import { interfaceOf } from '../settings/interface-of.ts';
import type { Settings } from '../settings/settings-table.ts';

/** Port of the balancer. */
export const TLS_PORT = 443;

/** Ports of the program: agents, and its health. */
export const AGENT_PORT = 8080;
export const HEALTH_PORT = 8081;

const acceptWithoutRoutes = (subnets: IConstruct) =>
  Validations.of(subnets).acknowledge({
    id: 'Annotation::@aws-cdk/aws-ec2:noSubnetRouteTableId',
    reason: 'No route is added to the subnets of the operator.',
  });

const givenSubnets = (scope: Construct, ids: readonly string[]): ISubnet[] =>
  ids.map((id, index) => {
    const subnet = Subnet.fromSubnetId(scope, `Public${index}`, id);
    acceptWithoutRoutes(subnet);
    return interfaceOf<ISubnet>(subnet);
  });

/** The VPC of the operator, or a new one with two public subnets: NAT gateways would cost more than the containers. */
function vpcOf(scope: Construct, { agentGatewayVpcId: vpcId, agentGatewaySubnetIds: subnetIds }: Settings): IVpc {
  if (vpcId !== undefined && subnetIds !== undefined) {
    // Only their number counts: nothing of the template contains the zones.
    const availabilityZones = subnetIds.map((_, index) => `zone-${index}`);
    const given = Vpc.fromVpcAttributes(scope, 'Vpc', { vpcId, availabilityZones, privateSubnetIds: [...subnetIds] });
    acceptWithoutRoutes(given);
    return given;
  }
  const vpc = new Vpc(scope, 'Vpc', {
    maxAzs: 2,
    natGateways: 0,
    restrictDefaultSecurityGroup: false,
    subnetConfiguration: [{ name: 'Public', subnetType: SubnetType.PUBLIC, mapPublicIpOnLaunch: false }],
  });
  Validations.of(vpc).acknowledge({
    id: 'AwsSolutions-VPC7',
    reason: 'The access log of the API contains each call, and the log of the gateway each connection of an agent.',
  });
  return interfaceOf<IVpc>(vpc);
}

const EVERYWHERE = '0.0.0.0/0';

/** The network of the agent gateway: only the balancer reaches the containers. */
export class AgentNetwork extends Construct {
  readonly vpc: IVpc;
  /** Of the containers. */
  readonly subnets: SubnetSelection;
  /** Of the balancer. */
  readonly balancerSubnets: SubnetSelection;
  /** Whether the balancer is reached from the internet. */
  readonly isPublic: boolean;
  /** Whether the containers reach the internet by addresses of their own. */
  readonly hasPublicTasks: boolean;
  readonly ofBalancer: SecurityGroup;
  readonly ofTasks: SecurityGroup;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    this.vpc = vpcOf(this, settings);
    const { agentGatewayVpcId: vpcId, agentGatewayPublicSubnetIds: publicSubnetIds } = settings;
    this.hasPublicTasks = vpcId === undefined;
    this.isPublic = this.hasPublicTasks || publicSubnetIds !== undefined;
    this.subnets = this.hasPublicTasks ? { subnetType: SubnetType.PUBLIC } : { subnets: this.vpc.privateSubnets };
    this.balancerSubnets =
      publicSubnetIds === undefined ? this.subnets : { subnets: givenSubnets(this, publicSubnetIds) };
    const { vpc } = this;
    this.ofBalancer = new SecurityGroup(this, 'Balancer', {
      vpc,
      description: 'Agents connect to the balancer',
      allowAllOutbound: false,
    });
    for (const range of settings.agentGatewayClients ?? [EVERYWHERE])
      this.ofBalancer.addIngressRule(Peer.ipv4(range), Port.tcp(TLS_PORT), 'Agents');
    this.ofTasks = new SecurityGroup(this, 'Tasks', {
      vpc,
      description: 'Containers of the agent gateway',
      allowAllOutbound: false,
    });
    // Their addresses change, so that only the port can be limited.
    this.ofTasks.addEgressRule(
      Peer.ipv4(EVERYWHERE),
      Port.tcp(TLS_PORT),
      'API, services of AWS, registry of the image',
    );
    for (const [port, what] of [
      [AGENT_PORT, 'Agents by way of the balancer'],
      [HEALTH_PORT, 'Health checks of the balancer'],
    ] as const) {
      this.ofBalancer.addEgressRule(this.ofTasks, Port.tcp(port), what);
      this.ofTasks.addIngressRule(this.ofBalancer, Port.tcp(port), what);
    }
    Validations.of(this.ofBalancer).acknowledge({
      id: 'AwsSolutions-EC23',
      reason:
        'By default agents connect from anywhere, as all callers of the API. TLS and the key of each agent protect the port.',
    });
  }
}
