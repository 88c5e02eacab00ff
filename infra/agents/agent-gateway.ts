import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration, type RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { type IMetric, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import {
  Cluster,
  ContainerImage,
  ContainerInsights,
  CpuArchitecture,
  FargatePlatformVersion,
  FargateService,
  FargateTaskDefinition,
  type ICluster,
  Capability,
  LinuxParameters,
  LogDriver,
  OperatingSystemFamily,
  PropagatedTagSource,
} from 'aws-cdk-lib/aws-ecs';
import {
  AlpnPolicy,
  ListenerCertificate,
  NetworkLoadBalancer,
  NetworkTargetGroup,
  Protocol,
  SslPolicy,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { metrics } from '../../gateway/container/metrics.ts';
import { keyStatements } from '../data/encryption.ts';
import { newLog } from '../functions/log.ts';
import { interfaceOf } from '../settings/interface-of.ts';
import { regionalName } from '../settings/names.ts';
import type { Settings } from '../settings/settings-table.ts';
import { AGENT_PORT, AgentNetwork, HEALTH_PORT, TLS_PORT } from './agent-network.ts';
import { scaleByStreams } from './scaling.ts';

/** Streams end over this time after a SIGTERM, and ECS kills a container after the second one, its maximum. */
const DRAIN_SECONDS = 100;
const STOP_SECONDS = 120;

/**
 * How long connections to a container that is being replaced stay open, at least until its streams have ended. ECS sends the
 * SIGTERM after this time, so a longer one only makes deployments longer.
 */
const DEREGISTRATION_SECONDS = STOP_SECONDS;

/** User of the image of Node without rights. */
const USER = '1000';

const period = Duration.minutes(5);

export interface AgentGatewayProps {
  readonly settings: Settings;
  readonly removalPolicy: RemovalPolicy;
  readonly key: IKey | undefined;
  /** Folder with the bundles. */
  readonly bundles: string;
  /** Address of the API, with its stage. */
  readonly apiUrl: string;
  /** Address of the service for everything but agents. */
  readonly mainUrl: string;
}

/**
 * The gateway of pmm-agents, in containers behind a balancer. Its only rights are its key, which is one of the service, and
 * its program.
 */
export class AgentGateway extends Construct {
  /** Contains a key with the role Gateway, which an operator stores and the gateway rotates. */
  readonly keySecret: Secret;
  /** The name of the balancer, for the record of the host name of agents. */
  readonly target: string;
  /** Host and port that agents connect to. */
  readonly address: string;
  /** Containers that accept connections; no data without any. */
  readonly healthyTasks: IMetric;
  /** Containers that fail their health check. */
  readonly unhealthyTasks: IMetric;
  /** Percent of the memory of a container. */
  readonly memory: IMetric;
  private readonly namespace: string;

  constructor(scope: Construct, id: string, props: AgentGatewayProps) {
    super(scope, id);
    const { settings, key, removalPolicy } = props;
    this.namespace = regionalName(this);
    this.keySecret = this.addSecret(key, removalPolicy);
    const network = new AgentNetwork(this, 'Network', settings);
    const log = newLog(this, 'Log', { settings, removalPolicy, key });
    const cluster = new Cluster(this, 'Cluster', {
      vpc: network.vpc,
      containerInsightsV2: ContainerInsights.DISABLED,
    });
    Validations.of(cluster).acknowledge({
      id: 'AwsSolutions-ECS4',
      reason:
        'The containers print their own metrics, with alarms. Container Insights would cost as much as a container.',
    });
    const service = new FargateService(this, 'Service', {
      cluster: interfaceOf<ICluster>(cluster),
      taskDefinition: this.addTask(props, log),
      platformVersion: FargatePlatformVersion.VERSION1_4,
      desiredCount: settings.agentGatewayTasks,
      minHealthyPercent: 100,
      maxHealthyPercent: 200,
      circuitBreaker: { rollback: true },
      propagateTags: PropagatedTagSource.SERVICE,
      healthCheckGracePeriod: Duration.seconds(60),
      assignPublicIp: network.hasPublicTasks,
      vpcSubnets: network.subnets,
      securityGroups: [network.ofTasks],
    });
    const { balancer, group } = this.addBalancer(network, settings, service);
    this.target = balancer.loadBalancerDnsName;
    this.address = `${settings.agentGatewayDomainName ?? ''}:${TLS_PORT}`;
    this.healthyTasks = group.metrics.healthyHostCount({ statistic: Stats.MINIMUM, period: Duration.minutes(1) });
    this.unhealthyTasks = group.metrics.unHealthyHostCount({ statistic: Stats.MAXIMUM, period });
    this.memory = service.metricMemoryUtilization({ statistic: Stats.MAXIMUM, period });
    scaleByStreams(this, {
      cluster,
      service,
      least: settings.agentGatewayTasks,
      streams: this.metric('streams', Stats.AVERAGE, 1),
    });
  }

  /** A metric that the containers print. */
  metric(name: keyof typeof metrics, statistic: string, minutes = period.toMinutes()): Metric {
    const { name: metricName } = metrics[name];
    return new Metric({ namespace: this.namespace, metricName, statistic, period: Duration.minutes(minutes) });
  }

  private addSecret(key: IKey | undefined, removalPolicy: RemovalPolicy): Secret {
    const secret = new Secret(this, 'Key', {
      description: 'API key with the role Gateway, for the agent gateway of the monitoring inventory',
      removalPolicy,
      ...(key === undefined ? {} : { encryptionKey: key }),
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'The gateway itself rotates the key every 30 days, by the API of the service.',
    });
    return secret;
  }

  /** The rights of the program: its file, and its key. */
  private addRole(asset: Asset, key: IKey | undefined): Role {
    const { partition } = Stack.of(this);
    const file = `arn:${partition}:s3:::${asset.s3BucketName}/${asset.s3ObjectKey}`;
    return new Role(this, 'Role', {
      description: 'Agent gateway of the monitoring inventory',
      assumedBy: new ServicePrincipal('ecs-tasks.amazonaws.com'),
      inlinePolicies: {
        gateway: new PolicyDocument({
          statements: [
            new PolicyStatement({ actions: ['s3:GetObject'], resources: [file] }),
            new PolicyStatement({
              actions: ['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'],
              resources: [this.keySecret.secretArn],
            }),
            ...keyStatements(key, 'secretsmanager', 'write'),
          ],
        }),
      },
    });
  }

  private addTask(
    { settings, key, bundles, apiUrl, mainUrl }: AgentGatewayProps,
    log: LogGroup,
  ): FargateTaskDefinition {
    const path = join(bundles, 'agentGateway', 'index.mjs');
    const asset = new Asset(this, 'Program', { path });
    const { region, urlSuffix } = Stack.of(this);
    const executionRole = new Role(this, 'StartRole', {
      description: 'Starts containers of the agent gateway',
      assumedBy: new ServicePrincipal('ecs-tasks.amazonaws.com'),
      inlinePolicies: {
        log: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
              resources: [log.logGroupArn],
            }),
          ],
        }),
      },
    });
    const isArm = settings.architecture === 'arm64';
    const task = new FargateTaskDefinition(this, 'Task', {
      family: regionalName(this),
      cpu: 512,
      memoryLimitMiB: 1024,
      taskRole: this.addRole(asset, key),
      executionRole: executionRole.withoutPolicyUpdates(),
      runtimePlatform: {
        cpuArchitecture: isArm ? CpuArchitecture.ARM64 : CpuArchitecture.X86_64,
        operatingSystemFamily: OperatingSystemFamily.LINUX,
      },
    });
    const linuxParameters = new LinuxParameters(this, 'Linux');
    linuxParameters.dropCapabilities(Capability.ALL);
    task.addContainer('Gateway', {
      image: ContainerImage.fromRegistry(settings.agentGatewayImage),
      command: ['node', '--input-type=module', '-e', readFileSync(join(bundles, 'agentGateway', 'load.mjs'), 'utf8')],
      environment: {
        API_URL: apiUrl,
        MAIN_URL: mainUrl,
        KEY_SECRET_ARN: this.keySecret.secretArn,
        PROXY_PROTOCOL: 'true',
        PORT: String(AGENT_PORT),
        HEALTH_PORT: String(HEALTH_PORT),
        DRAIN_SECONDS: String(DRAIN_SECONDS),
        METRICS_NAMESPACE: this.namespace,
        BUNDLE_BUCKET: asset.s3BucketName,
        BUNDLE_KEY: asset.s3ObjectKey,
        BUNDLE_SHA256: createHash('sha256').update(readFileSync(path)).digest('hex'),
        AWS_REGION: region,
        URL_SUFFIX: urlSuffix,
      },
      portMappings: [{ containerPort: AGENT_PORT }, { containerPort: HEALTH_PORT }],
      readonlyRootFilesystem: true,
      user: USER,
      stopTimeout: Duration.seconds(STOP_SECONDS),
      linuxParameters,
      logging: LogDriver.awsLogs({ logGroup: log, streamPrefix: 'agents' }),
    });
    Validations.of(task).acknowledge({
      id: 'AwsSolutions-ECS2',
      reason:
        'The variables are addresses and names of resources. The key is in a secret, which the program reads itself.',
    });
    return task;
  }

  private addBalancer(
    { vpc, balancerSubnets, isPublic, ofBalancer }: AgentNetwork,
    settings: Settings,
    service: FargateService,
  ) {
    const { agentGatewayCertificateArn: certificateArn } = settings;
    if (certificateArn === undefined) throw new Error('The balancer of agents needs a certificate.');
    const balancer = new NetworkLoadBalancer(this, 'Balancer', {
      vpc,
      vpcSubnets: balancerSubnets,
      internetFacing: isPublic,
      crossZoneEnabled: true,
      securityGroups: [ofBalancer],
    });
    Validations.of(balancer).acknowledge({
      id: 'AwsSolutions-ELB2',
      reason: 'The log of the gateway contains each connection of an agent, and the access log of the API each call.',
    });
    const group = new NetworkTargetGroup(this, 'Targets', {
      vpc,
      port: AGENT_PORT,
      protocol: Protocol.TCP,
      targets: [service.loadBalancerTarget({ containerName: 'Gateway', containerPort: AGENT_PORT })],
      proxyProtocolV2: true,
      deregistrationDelay: Duration.seconds(DEREGISTRATION_SECONDS),
      healthCheck: {
        protocol: Protocol.HTTP,
        path: '/healthz',
        port: String(HEALTH_PORT),
        interval: Duration.seconds(10),
        healthyThresholdCount: 2,
        unhealthyThresholdCount: 3,
      },
    });
    balancer.addListener('Tls', {
      port: TLS_PORT,
      protocol: Protocol.TLS,
      certificates: [ListenerCertificate.fromArn(certificateArn)],
      sslPolicy: SslPolicy.TLS13_RES,
      alpnPolicy: AlpnPolicy.HTTP2_PREFERRED,
      defaultTargetGroups: [group],
    });
    return { balancer, group };
  }
}
