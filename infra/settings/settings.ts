import type { AdminAccountUse } from '../../functions/domain/access/admin-account.ts';
import type { IdentityProvider } from '../../functions/domain/fields/identity-providers.ts';
import type { ProvisionedGroup } from './provisioned.ts';

/** The settings: props of the construct, and `-c name=value` of the app. */
export interface InventorySettings {
  /**
   * Name of the API's stage: 1 to 128 letters, digits, `_` or `-`. It is a part of the API's own address, which hosts
   * use: a change in a deployed stack changes that address.
   *
   * @default 'live'
   */
  readonly stageName?: string;
  /**
   * Requests per second that each method of the API accepts on average, of all callers together; others get 429. Methods
   * with a setting of their own are not included.
   *
   * @default 100
   */
  readonly throttleRate?: number;
  /**
   * Requests that each of these methods accepts at once (burst).
   *
   * @default 200
   */
  readonly throttleBurst?: number;
  /**
   * Reports of agent processes per second that each of the two methods for them accepts, on average and at once. With
   * the default timers a host reports every 4 minutes.
   *
   * @default 500
   */
  readonly reportRate?: number;
  /**
   * The API that hosts report to: `rest`, the one of all other requests, or `http`, a second one with an address of its
   * own (output ReportUrl), whose requests cost less than a third (docs/costs.md). AWS WAF does not support it.
   *
   * @default 'rest'
   */
  readonly reportEndpoint?: 'rest' | 'http';
  /**
   * How long API Gateway caches the caller of a credential, in seconds: a removed key may be accepted for this long.
   * 0 to 300. The default is longer than the interval between the reports of a host.
   *
   * @default 300
   */
  readonly authorizerCacheSeconds?: number;
  /**
   * How long logs are kept; one of the numbers of days that CloudWatch Logs supports.
   *
   * @default 30
   */
  readonly logRetentionDays?: number;
  /**
   * How long changes and all other entries of the audit are kept in the table. 30 to 3650 days.
   *
   * @default 30
   */
  readonly auditRetentionDays?: number;
  /**
   * The fate of the data when the stack is removed. `retain` keeps table, secret, key and logs, and
   * protects the table from deletion; `destroy` removes all of them.
   *
   * @default 'retain'
   */
  readonly removalPolicy?: 'retain' | 'destroy';
  /**
   * Whether the table can be restored to any second of the last 35 days.
   *
   * @default true
   */
  readonly pointInTimeRecovery?: boolean;
  /**
   * How DynamoDB bills requests to the table: `onDemand`, or `provisioned` by the hour, with capacity that follows the
   * use within minutes; for a constant load, such as that of a large fleet.
   *
   * @default 'onDemand'
   */
  readonly billing?: 'onDemand' | 'provisioned';
  /**
   * With provisioned billing, read units a second that the table has at least. 1 to 40,000. Each index has a tenth.
   *
   * @default 50
   */
  readonly minReadUnits?: number;
  /**
   * With provisioned billing, read units a second that the table and each index have at most. 1 to 40,000.
   *
   * @default 4000
   */
  readonly maxReadUnits?: number;
  /**
   * With provisioned billing, write units a second that the table has at least. 1 to 40,000. Each index has a tenth.
   *
   * @default 50
   */
  readonly minWriteUnits?: number;
  /**
   * With provisioned billing, write units a second that the table and each index have at most. 1 to 40,000.
   *
   * @default 4000
   */
  readonly maxWriteUnits?: number;
  /**
   * Whether table, secret, logs, queues and alarms are encrypted with a key of this account (1 USD a month) instead of
   * keys of AWS.
   *
   * @default false
   */
  readonly customerManagedKey?: boolean;
  /**
   * Host name of the service, for example `inventory.example.com`; requires certificateArn.
   *
   * @default - the name that AWS assigns
   */
  readonly domainName?: string | undefined;
  /**
   * Certificate for domainName: in us-east-1, where CloudFront looks for it, or without `cdn` in the region
   * of the stack.
   *
   * @default - the certificate of AWS
   */
  readonly certificateArn?: string | undefined;
  /**
   * Hosted zone in Route 53 for the records of domainName.
   *
   * @default - none: create the records elsewhere
   */
  readonly hostedZoneId?: string | undefined;
  /**
   * Whether a gateway for pmm-agents runs in containers (docs/agent-gateway.md): some 42 to 70 USD a month. Requires
   * agentGatewayDomainName and agentGatewayCertificateArn.
   *
   * @default false
   */
  readonly agentGateway?: boolean;
  /**
   * Host name that agents connect to, for example `agents.example.com`. Its record refers to the output
   * AgentGatewayTarget.
   *
   * @default - none
   */
  readonly agentGatewayDomainName?: string | undefined;
  /**
   * Certificate for agentGatewayDomainName, in the region of the stack.
   *
   * @default - none
   */
  readonly agentGatewayCertificateArn?: string | undefined;
  /**
   * Containers of the agent gateway at least, 1 to 10; more are started for many agents.
   *
   * @default 2
   */
  readonly agentGatewayTasks?: number;
  /**
   * Image with Node 24 in which the agent gateway runs, for example of a registry of your own.
   *
   * @default 'public.ecr.aws/docker/library/node@sha256:ebfe2f90462722a7a4de65e91990e97fe0d401c70e0e762c5b53302f905ec1c1'
   */
  readonly agentGatewayImage?: string;
  /**
   * VPC of agentGatewaySubnetIds.
   *
   * @default - a new VPC with two public subnets
   */
  readonly agentGatewayVpcId?: string | undefined;
  /**
   * Private subnets of the agent gateway, with a route to the API, to S3, Secrets Manager, CloudWatch Logs and the registry
   * of the image; requires agentGatewayVpcId. Its balancer has no public address then.
   *
   * @default - those of a new VPC
   */
  readonly agentGatewaySubnetIds?: readonly string[] | undefined;
  /**
   * Public subnets of agentGatewayVpcId, for a balancer with public addresses in front of containers in
   * agentGatewaySubnetIds.
   *
   * @default - the balancer is in agentGatewaySubnetIds, without public addresses
   */
  readonly agentGatewayPublicSubnetIds?: readonly string[] | undefined;
  /**
   * Ranges of IPv4 addresses from which agents may connect, for example `203.0.113.0/24`.
   *
   * @default - all
   */
  readonly agentGatewayClients?: readonly string[] | undefined;
  /**
   * Whether AWS WAF filters the requests to the API (about 8 USD a month): AWS's common rules, and a limit per client
   * address.
   *
   * @default false
   */
  readonly waf?: boolean;
  /**
   * E-mail address for alarms. It receives a message with a link to confirm.
   *
   * @default - none: subscribe to the topic
   */
  readonly alarmEmail?: string | undefined;
  /**
   * Whether every change is published on the account's default bus of EventBridge (1 USD for a million events).
   *
   * @default true
   */
  readonly changeEvents?: boolean;
  /**
   * Whether the other entries of the audit are published too, with changeEvents: actions on credentials, and refused calls
   * (docs/audit.md).
   *
   * @default false
   */
  readonly auditEvents?: boolean;
  /**
   * Whether changes of the states of nodes are published, every five minutes: in the change feed, and as events with
   * changeEvents. Reads the heartbeats of all nodes.
   *
   * @default false
   */
  readonly stateEvents?: boolean;
  /**
   * Partitions of the change feed: each takes 500 changes a second, and costs one more query for each page of changes.
   * 4 to 36. The number can be increased, and a deployment with a smaller one fails.
   *
   * @default - the number of the table: 4 in a new one
   */
  readonly changeShards?: number | undefined;
  /**
   * Provisioned instances of each function of `provisionedFunctions`, so that no request waits for a cold start. Each
   * instance costs continuously (docs/costs.md), and counts towards `accountConcurrency`.
   *
   * @default 0
   */
  readonly provisionedConcurrency?: number;
  /**
   * The functions that have provisioned instances: `authorizer`, the functions for `reports` of hosts, for `reads`, and
   * for `changes`. Functions that only an Admin calls have none.
   *
   * @default ['authorizer', 'reports', 'reads', 'changes']
   */
  readonly provisionedFunctions?: readonly ProvisionedGroup[];
  /**
   * The quota of Lambda for instances of all functions of the account in the region, against which
   * `provisionedConcurrency` and `authorizerConcurrency` are checked. 10 to 1,000,000.
   *
   * @default 1000
   */
  readonly accountConcurrency?: number;
  /**
   * Whether ephemeral nodes that no longer report are removed automatically, once an hour. Otherwise `POST /v1/cleanup`
   * removes them.
   *
   * @default true
   */
  readonly scheduledCleanup?: boolean;
  /**
   * Whether the calls of PMM's clients are served (docs/pmm.md).
   *
   * @default true
   */
  readonly pmmCompatibility?: boolean;
  /**
   * The label whose values are owners: an API key with the role Editor can be limited to objects with some of them. After a
   * change, the owners of keys are values of the new label.
   *
   * @default team
   */
  readonly ownerLabel?: string;
  /**
   * The use of the account `admin`: `enabled`; `emergency`, which limits it to sessions of an hour, each with an entry of the
   * audit and an alarm; or `disabled`. A deployment that disables it is refused while nobody else is an Admin.
   *
   * @default enabled
   */
  readonly adminAccount?: AdminAccountUse;
  /**
   * Providers whose identities log-ins accept, each with its issuer (docs/programs.md). With role bindings, programs
   * exchange a token of such an issuer for a key.
   *
   * @default - none
   */
  readonly identityProviders?: readonly IdentityProvider[] | undefined;
  /**
   * Requests per second to each endpoint that needs no credentials, on average and at once: readiness,
   * enrolment, and the files of the site without `cdn`.
   *
   * @default 50
   */
  readonly openRate?: number;
  /**
   * Log-ins per second, on average and at once, and as many log-outs by identity providers.
   *
   * @default 10
   */
  readonly loginRate?: number;
  /**
   * Whether the API refuses every request with 429, also reports, enrolments, log-ins and readiness checks, and nothing
   * runs on a schedule: for the restoration of a backup.
   *
   * @default false
   */
  readonly closed?: boolean;
  /**
   * Requests of one client address in five minutes, beyond which the firewall refuses it; requires waf. 10 to
   * 2,000,000,000.
   *
   * @default 6000
   */
  readonly wafRequestsPerAddress?: number;
  /**
   * Whether CloudFront serves the API and the site. Without it, API Gateway serves both: for accounts and regions that
   * have no CloudFront, such as AWS GovCloud (US) and China.
   *
   * @default true
   */
  readonly cdn?: boolean;
  /**
   * Processor of the functions: `arm64`, which costs less, or `x86_64` for regions without it.
   *
   * @default 'arm64'
   */
  readonly architecture?: 'arm64' | 'x86_64';
  /**
   * Instances of the authorizer that are reserved in the account, so that other functions cannot use them up. Lambda
   * refuses it if fewer than the account's minimum of unreserved instances remain.
   *
   * @default - none reserved
   */
  readonly authorizerConcurrency?: number | undefined;
  /**
   * Reserved instances of the function that checks log-ins of users, also its maximum: a flood of log-ins takes none from
   * other functions. 1 to 1,000. Lambda refuses it if fewer than the account's minimum of unreserved instances remain.
   *
   * @default - none reserved: loginRate limits it
   */
  readonly loginConcurrency?: number | undefined;
  /**
   * Jobs that are continued at the same time for each shard of the table's stream, 1 to 10. A job may occupy an instance
   * for 15 minutes, and a new account has 10 instances of all functions.
   *
   * @default 2
   */
  readonly workerConcurrency?: number;
  /**
   * Name of a bucket for the access logs of the site: of its bucket and of CloudFront. It must accept both.
   *
   * @default - none
   */
  readonly accessLogBucket?: string | undefined;
  /**
   * Subnets of the functions, for accounts that require a VPC; requires securityGroupIds. They need a route to the
   * endpoints that docs/settings.md lists.
   *
   * @default - none: functions run outside of a VPC
   */
  readonly subnetIds?: readonly string[] | undefined;
  /**
   * Security groups of the functions; requires subnetIds.
   *
   * @default - none
   */
  readonly securityGroupIds?: readonly string[] | undefined;
  /**
   * ARN of a policy that limits every role.
   *
   * @default - none
   */
  readonly permissionsBoundary?: string | undefined;
  /**
   * Tags of every resource: `{ team: 'ops' }`, or `-c tags=team=ops,stage=prod`.
   *
   * @default - none
   */
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /**
   * Whether an alarm is raised when no request arrives for an hour.
   *
   * @default false
   */
  readonly silenceAlarm?: boolean;
  /**
   * Whether the inventory is asked every minute, at its address, whether it is ready (docs/costs.md has the price). An alarm
   * is raised when it is not, also of an inventory with few requests; with tenants it names them. In a VPC, the function
   * that asks needs a route to the address.
   *
   * @default false
   */
  readonly probe?: boolean;
  /**
   * Links of the console to dashboards, as `name=URL`, separated by commas. A URL contains fields of the object as
   * variables: `https://grafana.example.com/d/node?var-node=${node_name}`.
   *
   * @default - none
   */
  readonly dashboards?: string | undefined;
}

/** An inventory in a stack of its own, beside others in the account. */
export interface Tenant {
  /** Part of the name of the stack and of the host name: lower-case letters, digits and hyphens; not `shared`. */
  readonly name: string;
  /**
   * When the stack is upgraded: after all of lower waves. 1 to 9.
   *
   * @default 2
   */
  readonly wave?: number | undefined;
  /** Settings that differ from those of the other tenants. */
  readonly settings?: InventorySettings | undefined;
}

/** The settings of the app besides those of the construct. */
export interface AppSettings {
  /**
   * Whether CloudFormation refuses to remove the stack, or any of the tenants, until a deployment without the setting.
   *
   * @default false
   */
  readonly terminationProtection?: boolean;
  /**
   * Name of the stack: another one for each inventory in an account and region.
   *
   * @default 'MonitoringInventory'
   */
  readonly stackName?: string;
  /**
   * Inventories in stacks of their own, with common alarms and one dashboard (docs/tenants.md). The other settings are for
   * all of them.
   *
   * @default - one inventory
   */
  readonly tenants?: readonly Tenant[] | undefined;
}
