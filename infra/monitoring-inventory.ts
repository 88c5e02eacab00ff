import { CfnResource, RemovalPolicy, Stack, Token, Tokenization } from 'aws-cdk-lib';
import type { IAlarm, Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { cleanUp, getVersion, listAudit, listChanges } from '../functions/api/endpoint-table.ts';
import type { Environment } from '../functions/runtime/dependencies.ts';
import { AgentGateway } from './agents/agent-gateway.ts';
import { InventoryApi } from './gateway/api.ts';
import { withoutCommit } from './assets/build-version.ts';
import { type Assets, builtAssets } from './assets/stored-assets.ts';
import { ChangeEvents } from './triggers/change-events.ts';
import { Firewall } from './gateway/firewall.ts';
import { AdminSecret, FirstAccess } from './functions/first-access.ts';
import { GatewayLogRole } from './gateway/gateway-log-role.ts';
import type { FunctionDefaults } from './functions/function-defaults.ts';
import { type InventoryConstructs, withConstructs } from './settings/inventory-constructs.ts';
import { InventoryFunctions } from './functions/inventory-functions.ts';
import { InventoryTable } from './data/inventory-table.ts';
import { Jobs } from './triggers/jobs.ts';
import { newLog, permitLogs } from './functions/log.ts';
import { Operations } from './operations/operations.ts';
import { Probe } from './operations/probe.ts';
import { SharedMetrics, type SharedMonitoring } from './operations/shared-monitoring.ts';
import { ObjectsKey } from './objects/objects-key.ts';
import { OriginSecret } from './gateway/origin-secret.ts';
import { OwnDomain } from './gateway/own-domain.ts';
import { ReportApi } from './gateway/report-api.ts';
import { lazily } from '../shared/core/lazily.ts';
import { applySettings } from './settings/apply-settings.ts';
import { regionalNameElsewhere } from './settings/names.ts';
import { readSettings } from './settings/read-settings.ts';
import type { InventorySettings } from './settings/settings.ts';
import type { Settings } from './settings/settings-table.ts';
import { ScheduledCleanup } from './triggers/scheduled-cleanup.ts';
import { StateEvents } from './triggers/state-events.ts';
import { Site } from './site/site.ts';

/** The endpoints that read the partitions of changes. */
const CHANGE_READERS: readonly string[] = [listChanges.id, listAudit.id];

export interface MonitoringInventoryProps extends InventorySettings, InventoryConstructs {
  /**
   * The bundled functions and the files of the site.
   *
   * @default - those of this package; a checkout has none, and `buildAssets()` makes them
   */
  readonly assets?: Assets;
  /**
   * Alarms and dashboard of several inventories, instead of those of this one.
   *
   * @default - alarms and a dashboard of its own
   */
  readonly sharedMonitoring?: SharedMonitoring;
}

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
const MAX_RESOURCES = 500;

/** The reason why CloudFormation would refuse a stack with several inventories, and the remedy. The first of them states it. */
function tooManyResources(inventory: MonitoringInventory): string[] {
  const inStack = Stack.of(inventory).node.findAll();
  const inventories = inStack.filter((construct) => construct instanceof MonitoringInventory);
  const count = inStack.filter((construct) => CfnResource.isCfnResource(construct)).length;
  if (count <= MAX_RESOURCES || inventories.length < 2 || inventories[0] !== inventory) return [];
  return [
    `Stack ${Stack.of(inventory).stackName} has ${count} resources with its ${inventories.length} inventories, but CloudFormation accepts ${MAX_RESOURCES}. Put each inventory into a stack of its own, or use InventoryTenants.`,
  ];
}

/**
 * The whole inventory service, for another CDK app:
 *
 * ```ts
 * new MonitoringInventory(this, 'Inventory', { logRetentionDays: 90 });
 * ```
 *
 * @throws InvalidSettings when a setting is invalid.
 */
export class MonitoringInventory extends Construct {
  /** The base of request URLs, to which clients append a path such as `/v1/nodes`; without a final slash. */
  readonly baseUrl: string;
  /** For machines: the address of the API itself, without CloudFront. */
  readonly machineUrl: string;
  /** For reports of hosts: that of the HTTP API; undefined without it. */
  readonly reportUrl: string | undefined;
  /** The API browser. */
  readonly swaggerUrl: string;
  /** The console. */
  readonly consoleUrl: string;
  /** Contains the password of the user `admin`. */
  readonly adminSecret: Secret;
  readonly table: TableV2;
  /** Receives the messages of all alarms. */
  readonly alarmTopic: ITopic;
  /** The alarms: on symptoms that users notice, and on causes that lead to them. */
  readonly alarms: readonly IAlarm[];
  /** The key of this account for table, secret, logs and queues; undefined without one. */
  readonly encryptionKey: IKey | undefined;
  /** The name of the API in metrics, for other stacks. */
  readonly apiName: string;
  /** The gateway of agents: its address, its balancer, and the secret of its key; undefined without the setting. */
  readonly agentGateway: Pick<AgentGateway, 'address' | 'keySecret' | 'target'> | undefined;
  /**
   * The key for objects of the app in this inventory (`InventoryNode` and others), which the first of them makes: an inventory without
   * any has no such key.
   */
  readonly objectsKey: () => ObjectsKey;
  private readonly api: InventoryApi;

  constructor(scope: Construct, id: string, props: MonitoringInventoryProps = {}) {
    super(scope, id);
    const { assets = builtAssets(), sharedMonitoring, ...given } = props;
    const { region } = Stack.of(this);
    const settings = readSettings(withConstructs(this, given), Token.isUnresolved(region) ? undefined : region);
    const isRetained = settings.removalPolicy === 'retain';
    // A first deployment that fails leaves nothing behind but the table, whose protection prevents its removal.
    const removalPolicy = isRetained ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
    const key =
      given.encryptionKey ??
      (settings.customerManagedKey
        ? new Key(this, 'Key', { description: 'Monitoring inventory', enableKeyRotation: true, removalPolicy })
        : undefined);
    if (key !== undefined) permitLogs(key);
    const table = new InventoryTable(this, 'Table', {
      isRetained,
      pointInTimeRecovery: settings.pointInTimeRecovery,
      listsThrottledKeys: sharedMonitoring === undefined,
      capacity: settings,
      key,
    });
    const secret = new AdminSecret(this, 'AdminPassword', { key, removalPolicy });

    const { version, commit, time } = assets.build;
    const environment = {
      TABLE_NAME: table.tableName,
      ...(settings.dashboards === undefined ? {} : { DASHBOARDS: settings.dashboards }),
      OWNER_LABEL: settings.ownerLabel,
      AUDIT_RETENTION_DAYS: Tokenization.stringifyNumber(settings.auditRetentionDays),
      ...(settings.identityProviders === undefined
        ? {}
        : { IDENTITY_PROVIDERS: JSON.stringify(settings.identityProviders) }),
      ...(settings.adminAccount === 'enabled' ? {} : { ADMIN_ACCOUNT: settings.adminAccount }),
      ...(settings.pmmCompatibility ? {} : { PMM_COMPATIBILITY: 'false' }),
    } as const satisfies Environment;
    const log = newLog(this, 'Log', { settings, removalPolicy, key });
    const defaults: FunctionDefaults = { bundles: assets.functions, environment, log, settings };

    const functions = new InventoryFunctions(this, 'Functions', {
      defaults,
      table,
      secret,
      key,
      settings,
    });

    functions.stateBuild({
      ...{ SERVICE_VERSION: version, BUILD_COMMIT: commit, BUILD_TIME: time },
    } satisfies Partial<Environment>);

    const originSecret = settings.cdn ? new OriginSecret(this, 'OriginSecret', key) : undefined;
    const api = new InventoryApi(this, 'Api', {
      ...{ settings, removalPolicy, key, functions, originSecret },
      version: withoutCommit(version),
    });
    api.deploymentStage.node.addDependency(new GatewayLogRole(this, 'GatewayLogs', { defaults }));
    const reports =
      settings.reportEndpoint === 'http'
        ? new ReportApi(this, 'Reports', { settings, functions, accessLog: api.accessLog })
        : undefined;
    if (reports !== undefined)
      functions.of(getVersion).function.addEnvironment('REPORT_URL' satisfies keyof Environment, reports.url);
    if (settings.waf)
      new Firewall(this, 'Firewall', { api, originSecret, requestsPerAddress: settings.wafRequestsPerAddress });
    const { format } = new FirstAccess(this, 'FirstAccess', {
      defaults,
      table,
      secret,
      key,
      changeReaders: functions.endpoints.filter(([{ id }]) => CHANGE_READERS.includes(id)).map(([, reader]) => reader),
      settings,
    });
    const url =
      originSecret === undefined
        ? this.urlOfApi(settings, api)
        : new Site(this, 'Site', { settings, defaults, api, originSecret }).url;
    const events = settings.changeEvents
      ? new ChangeEvents(this, 'Events', {
          defaults,
          table,
          key,
          bus: given.eventBus,
          auditEvents: settings.auditEvents,
        })
      : undefined;
    const jobs = new Jobs(this, 'Jobs', {
      defaults,
      table,
      key,
      workerConcurrency: settings.workerConcurrency,
    });
    const cleanup = settings.scheduledCleanup
      ? new ScheduledCleanup(this, 'Cleanup', { defaults, role: functions.roleOf(cleanUp) })
      : undefined;
    const stateEvents = settings.stateEvents
      ? new StateEvents(this, 'StateEvents', { defaults, role: functions.roleOf(cleanUp) })
      : undefined;
    for (const user of [functions, jobs, events, cleanup, stateEvents]) user?.node.addDependency(format);
    const agents = settings.agentGateway
      ? new AgentGateway(this, 'Agents', {
          settings,
          removalPolicy,
          key,
          bundles: assets.functions,
          apiUrl: api.url.replace(/\/$/, ''),
          mainUrl: url,
        })
      : undefined;
    const operations =
      sharedMonitoring === undefined
        ? new Operations(this, 'Operations', {
            ...{ agents, events, cleanup, stateEvents, jobs, api, reports, functions },
            ...{ table, log, key, settings, siteUrl: url },
          })
        : new SharedMetrics(this, 'Operations', {
            monitoring: sharedMonitoring,
            logs: { access: api.accessLog, functions: log },
          });

    const probe = settings.probe
      ? new Probe(this, 'Probe', {
          defaults,
          inventories: [{ name: Stack.of(this).stackName, url }],
          alarms: { topic: operations.topic, siteUrl: url },
        })
      : undefined;

    this.objectsKey = lazily(() => {
      const objectsKey = new ObjectsKey(this, 'ObjectsKey', { defaults, table, key, adminSecret: secret });
      objectsKey.node.addDependency(format);
      return objectsKey;
    });
    applySettings(this, settings);
    this.node.addValidation({ validate: () => tooManyResources(this) });
    this.baseUrl = url;
    this.machineUrl = api.url.replace(/\/$/, '');
    this.reportUrl = reports?.url;
    this.swaggerUrl = `${url}/swagger/`;
    this.consoleUrl = `${url}/`;
    this.adminSecret = secret;
    this.table = table;
    this.alarmTopic = operations.topic;
    this.alarms = [...operations.alarms, ...(probe?.alarms ?? [])];
    this.api = api;
    this.encryptionKey = key;
    this.apiName = regionalNameElsewhere(this);
    this.agentGateway = agents;
  }

  /**
   * Permits reading the password of the user `admin`: full access to the inventory. Prefer API keys for programs.
   *
   * @param grantee for example the role of a team of operators.
   */
  grantReadPassword(grantee: IGrantable): Grant {
    return this.adminSecret.grantRead(grantee);
  }

  /** Requests to the API; the sum of five minutes by default. */
  metricRequests(options?: MetricOptions): Metric {
    return this.api.metricCount(options);
  }

  /** Requests that were answered with a status from 400 to 499; the sum of five minutes by default. */
  metricClientErrors(options?: MetricOptions): Metric {
    return this.api.metricClientError(options);
  }

  /** Requests that were answered with a status from 500 to 599; the sum of five minutes by default. */
  metricServerErrors(options?: MetricOptions): Metric {
    return this.api.metricServerError(options);
  }

  /** Milliseconds from the request to the reply; the average of five minutes by default. */
  metricLatency(options?: MetricOptions): Metric {
    return this.api.metricLatency(options);
  }

  /** Without CloudFront: the host name of the operator, or the address of the API itself. */
  private urlOfApi(settings: Settings, api: InventoryApi): string {
    const { domainName } = settings;
    if (domainName === undefined) return api.url.replace(/\/$/, '');
    new OwnDomain(this, 'Domain', { api, domainName, settings });
    return `https://${domainName}`;
  }
}
