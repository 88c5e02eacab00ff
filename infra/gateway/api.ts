import { Stack, Validations } from 'aws-cdk-lib';
import {
  ApiDefinition,
  CfnRestApi,
  EndpointType,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  RestApiMode,
  SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { addSession } from '../../functions/api/endpoint-table.ts';
import type { Endpoint, Facade } from '../../functions/contract/endpoint.ts';
import { methodsOf, methodsOfFacade } from '../../shared/http/http-contract.ts';
import { ORIGIN_VARIABLE } from '../../shared/http/source-address.ts';
import { accessLogFormat } from './access-log.ts';
import { apiDefinition, SITE_METHODS, SITE_PATHS, type FunctionTarget, transportSecurity } from './api-definition.ts';
import type { InventoryFunctions } from '../functions/inventory-functions.ts';
import { Invokers } from './invokers.ts';
import { newDeliveredLog, type LogProps } from '../functions/log.ts';
import { regionalName } from '../settings/names.ts';
import type { OriginSecret } from './origin-secret.ts';
import type { Settings } from '../settings/settings-table.ts';

export interface InventoryApiProps extends LogProps {
  readonly settings: Settings;
  readonly functions: InventoryFunctions;
  /** The version of the service, without the commit: another one is another deployment of the API. */
  readonly version: string;
  /** Undefined without CloudFront. */
  readonly originSecret: OriginSecret | undefined;
}

/** The definition of the gateway, with the roles that call the functions. */
function definitionOf(scope: Construct, title: string, { settings, functions, version }: InventoryApiProps) {
  const { endpoints, facades, authorizer, catchAll, site } = functions;
  const others = [authorizer, catchAll, ...(site === undefined ? [] : [site])];
  const all = [...[...endpoints, ...facades].map(([, of]) => of), ...others].map(({ target }) => target);
  const invokers = new Invokers(scope, 'Invokers', all);
  const { partition, region } = Stack.of(scope);
  const called = (target: IFunction): FunctionTarget => ({
    uri: `arn:${partition}:apigateway:${region}:lambda:path/2015-03-31/functions/${target.functionArn}/invocations`,
    credentials: invokers.roleArnFor(target),
  });
  return apiDefinition({
    title,
    version,
    endpoints: endpoints.map(([endpoint, { target }]) => [endpoint, called(target)]),
    facades: facades.map(([facade, { target }]) => [facade, called(target)]),
    catchAll: called(catchAll.target),
    site: site === undefined ? undefined : called(site.target),
    authorizer: called(authorizer.target),
    authorizerCacheSeconds: settings.authorizerCacheSeconds,
  });
}

/** A limit of requests a second, and of those at once: of a closed API none, for each method that has a limit of its own. */
function throttle({ closed }: Settings, rate: number, burst = rate): MethodDeploymentOptions {
  return closed
    ? { throttlingRateLimit: 0, throttlingBurstLimit: 0 }
    : { throttlingRateLimit: rate, throttlingBurstLimit: burst };
}

/** The throttles that apply to single methods, so that their callers take nothing from others. */
function ownThrottles({ settings, functions }: InventoryApiProps) {
  const { openRate, loginRate, reportRate } = settings;
  const rateOf = ({ id, role, frequent, logsIn }: Endpoint) => {
    if (frequent === true) return reportRate;
    if (id === addSession.id || logsIn === true) return loginRate;
    return role === 'none' ? openRate : undefined;
  };
  const throttles = functions.endpoints.flatMap(([endpoint]) => {
    const rate = rateOf(endpoint);
    if (rate === undefined) return [];
    return methodsOf(endpoint).map((method) => [`${endpoint.path}/${method}`, throttle(settings, rate)] as const);
  });
  const open = throttle(settings, openRate);
  const ofFacade = ({ frequent, logsIn }: Facade) => {
    if (frequent === true) return throttle(settings, reportRate);
    return logsIn === true ? throttle(settings, loginRate) : open;
  };
  const ofSite = SITE_PATHS.flatMap((path) => SITE_METHODS.map((method) => [`${path}/${method}`, open] as const));
  const ofFacades = functions.facades
    .filter(([{ role, frequent }]) => role === 'none' || frequent === true)
    .flatMap(([facade]) =>
      facade.paths.flatMap((path) =>
        (methodsOfFacade(facade) ?? ['*']).map((name) => [`${path}/${name}`, ofFacade(facade)] as const),
      ),
    );
  return Object.fromEntries([...throttles, ...ofFacades, ...(functions.site === undefined ? [] : ofSite)]);
}

/** The gateway, which imports its definition at once: AWS limits single changes of it to a few in a second. */
export class InventoryApi extends SpecRestApi {
  readonly accessLog: LogGroup;

  constructor(scope: Construct, id: string, props: InventoryApiProps) {
    const { settings, originSecret } = props;
    const { stageName, throttleRate, throttleBurst } = settings;
    // Also that of the API for reports.
    const accessLog = newDeliveredLog(scope, `${id}AccessLog`, props);
    // CloudWatch distinguishes the metrics of APIs by this name.
    const restApiName = regionalName(scope);
    super(scope, id, {
      restApiName,
      description: 'Inventory of nodes, services and agents',
      endpointTypes: [EndpointType.REGIONAL],
      apiDefinition: ApiDefinition.fromInline(definitionOf(scope, restApiName, props)),
      // Otherwise operations that a new version no longer has would stay.
      mode: RestApiMode.OVERWRITE,
      // The role for logs belongs to the account, see gateway-log-role.ts.
      cloudWatchRole: false,
      deployOptions: {
        stageName,
        ...(originSecret === undefined ? {} : { variables: { [ORIGIN_VARIABLE]: originSecret.reference } }),
        ...throttle(settings, throttleRate, throttleBurst),
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat,
        dataTraceEnabled: false,
        // The functions decide which requests are traced. API Gateway decides for a whole stage, so that reports would need
        // sampling rules, of which a region has 25.
        tracingEnabled: false,
        methodOptions: ownThrottles(props),
      },
    });
    const { defaultChild } = this.node;
    // The definition contains both too, because an import overwrites what it does not state.
    if (defaultChild instanceof CfnRestApi) Object.assign(defaultChild, transportSecurity);
    this.accessLog = accessLog;
    // Users use the address of CloudFront.
    this.node.tryRemoveChild('Endpoint');
    this.acknowledgeFindings(settings.waf);
  }

  private acknowledgeFindings(waf: boolean): void {
    Validations.of(this).acknowledge(
      {
        id: 'Serverless-APIGWXrayEnabled',
        reason:
          'The functions decide what is traced, so that reports of hosts are not. The gateway passes on traces of callers.',
      },
      {
        id: 'Serverless-APIGWStructuredLogging',
        reason: 'Each line is JSON. In the format, one variable is without quotes, because its values are numbers.',
      },
      {
        id: 'AwsSolutions-COG4',
        reason: 'Callers use API keys of this service, which its authorizer checks. No user pool exists.',
      },
      {
        id: 'AwsSolutions-APIG2',
        reason:
          'Every function validates path, query and body strictly with the schema of its contract, and names each violation. A second validator would add nothing.',
      },
      {
        id: 'AwsSolutions-APIG6',
        reason:
          'The access log contains every request, and functions log every failure. Execution logs would duplicate this, with headers, in a log group outside the stack.',
      },
    );
    if (!waf)
      Validations.of(this).acknowledge({
        id: 'AwsSolutions-APIG3',
        reason:
          'AWS WAF is the setting waf=true. It is off by default because of its price. Every request is throttled and validated without it, and all but readiness checks are authenticated.',
      });
  }
}
