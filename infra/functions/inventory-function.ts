import { Duration, Validations } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  ApplicationLogLevel,
  Architecture,
  Code,
  Function,
  type IFunction,
  type IVersion,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { join } from 'node:path';
import type { FunctionDefaults } from './function-defaults.ts';
import { FunctionRole } from './function-role.ts';
import { putInNetwork } from './network.ts';
import { MEMORY_MB } from './function-size.ts';
import { interfaceOf } from '../settings/interface-of.ts';

/** API Gateway's limit for an integration. The reply of a function that runs longer is discarded. */
export const TIMEOUT_SECONDS = 29;

/**
 * A function that CloudFormation calls. It retries for two minutes (functions/triggers/deployment/custom-resource.ts),
 * then reports the failure.
 */
export const DEPLOYMENT_STEP = { function: { memoryMb: 256, timeoutSeconds: 170 }, answersWithinSeconds: 180 } as const;

export interface InventoryFunctionProps {
  readonly defaults: FunctionDefaults;
  readonly description: string;
  /** Its permissions in addition to logs and traces: for a role of its own, or a shared role. */
  readonly rights: readonly PolicyStatement[] | FunctionRole;
  /**
   * Where its code is, relative to the bundles.
   *
   * @default - index in the folder with its id
   */
  readonly bundle?: { readonly folder: string; readonly file: string };
  /** @default MEMORY_MB */
  readonly memoryMb?: number;
  /** @default TIMEOUT_SECONDS */
  readonly timeoutSeconds?: number;
  /**
   * Instances that are kept warm.
   *
   * @default 0
   */
  readonly provisionedConcurrency?: number;
  /**
   * Whether X-Ray records the traces that Lambda selects: the first of each second, and 5 % of the others. Otherwise it
   * records those that the caller of the API has begun.
   *
   * @default true
   */
  readonly isTraced?: boolean;
  /**
   * Instances that are reserved in the account.
   *
   * @default - none
   */
  readonly reservedConcurrency?: number | undefined;
}

/** A function, and a role with all its permissions. */
export class InventoryFunction extends Construct {
  readonly function: Function;
  readonly role: FunctionRole;
  /** The function to call: itself, or the alias with its provisioned instances. */
  readonly target: IFunction;

  /** @param id also the name of the bundle. */
  constructor(scope: Construct, id: string, props: InventoryFunctionProps) {
    super(scope, id);
    const { defaults, description, rights, isTraced = true, provisionedConcurrency = 0, reservedConcurrency } = props;
    const { bundles, environment, log, settings } = defaults;
    this.role =
      rights instanceof FunctionRole
        ? rights
        : new FunctionRole(this, 'Rights', { description: `Permissions of ${id}`, defaults, statements: rights });
    Validations.of(this).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason:
        'Called by API Gateway, which waits for the reply, or by CloudFormation, which fails the deployment without a reply. No event is lost silently.',
    });
    if (!isTraced)
      Validations.of(this).acknowledge({
        id: 'Serverless-LambdaTracing',
        reason: 'Every host calls it every few minutes. Metrics, logs and alarms show its errors and its duration.',
      });
    this.function = new Function(this, 'Function', {
      description,
      code: Code.fromAsset(join(bundles, props.bundle?.folder ?? id)),
      handler: `${props.bundle?.file ?? 'index'}.handler`,
      runtime: Runtime.NODEJS_24_X,
      architecture: settings.architecture === 'arm64' ? Architecture.ARM_64 : Architecture.X86_64,
      memorySize: props.memoryMb ?? MEMORY_MB,
      timeout: Duration.seconds(props.timeoutSeconds ?? TIMEOUT_SECONDS),
      environment: { ...environment },
      // Without updates by the CDK: the policy of the role is complete, and needs no resource of its own.
      role: this.role.role.withoutPolicyUpdates(),
      logGroup: log,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      // The lines START and REPORT of each request would cost more than the request; metrics and traces contain the
      // same.
      systemLogLevelV2: SystemLogLevel.WARN,
      tracing: isTraced ? Tracing.ACTIVE : Tracing.PASS_THROUGH,
      ...(reservedConcurrency === undefined ? {} : { reservedConcurrentExecutions: reservedConcurrency }),
    });
    putInNetwork(this.function, settings);
    this.target =
      provisionedConcurrency === 0
        ? this.function
        : interfaceOf<IFunction>(
            new Alias(this, 'Warm', {
              aliasName: 'warm',
              version: interfaceOf<IVersion>(this.function.currentVersion),
              provisionedConcurrentExecutions: provisionedConcurrency,
            }),
          );
  }
}
