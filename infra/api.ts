import { Duration, Names, type RemovalPolicy, Size, Validations } from 'aws-cdk-lib';
import {
  AuthorizationType,
  AwsIntegration,
  EndpointType,
  IdentitySource,
  type Integration,
  LogGroupLogDestination,
  type MethodOptions,
  RequestAuthorizer,
  Resource,
  ResponseType,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { type IRole, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { methodsOf } from '../shared/http/endpoint.ts';
import { gatewayResponses } from '../shared/http/gateway-responses.ts';
import { REQUEST_ID_HEADER } from '../shared/http/request-id.ts';
import { accessLogFormat } from './access-log.ts';
import type { InventoryFunctions } from './inventory-functions.ts';
import type { Settings } from './settings.ts';

/** Replies above this are compressed for those who accept it; the local server has the same setting. */
const COMPRESS_ABOVE_BYTES = 1024;

export interface InventoryApiProps {
  readonly settings: Settings;
  readonly removalPolicy: RemovalPolicy;
  readonly functions: InventoryFunctions;
}

/** As the CDK's LambdaIntegration, which insists on a permission on the function. */
function integrationOf({ functionArn }: IFunction, credentialsRole: IRole): Integration {
  return new AwsIntegration({
    proxy: true,
    service: 'lambda',
    path: `2015-03-31/functions/${functionArn}/invocations`,
    options: { credentialsRole },
  });
}

/** The gateway: a method per endpoint, the authorizer before them, our own words for what the gateway says by itself. */
export class InventoryApi extends RestApi {
  readonly accessLog: LogGroup;

  constructor(scope: Construct, id: string, props: InventoryApiProps) {
    const { settings, removalPolicy, functions } = props;
    const { stageName, throttleRate, throttleBurst, authorizerCacheSeconds, logRetentionDays } = settings;
    const accessLog = new LogGroup(scope, `${id}AccessLog`, { retention: logRetentionDays, removalPolicy });
    super(scope, id, {
      // Metrics are told apart by this name.
      restApiName: Names.uniqueResourceName(scope, { maxLength: 64, separator: '-' }),
      description: 'Inventory of nodes, services and agents',
      endpointTypes: [EndpointType.REGIONAL],
      minCompressionSize: Size.bytes(COMPRESS_ABOVE_BYTES),
      // So that a function may answer with what it has compressed itself (shared/http/carry.ts). The gateway goes by Accept,
      // which some clients leave out, and hands over request bodies as Base64.
      // https://docs.aws.amazon.com/apigateway/latest/developerguide/lambda-proxy-binary-media.html
      binaryMediaTypes: ['*/*'],
      // The role for logs is the account's, see gateway-log-role.ts.
      cloudWatchRole: false,
      deployOptions: {
        stageName,
        throttlingRateLimit: throttleRate,
        throttlingBurstLimit: throttleBurst,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat,
        dataTraceEnabled: false,
        tracingEnabled: true,
      },
    });
    this.accessLog = accessLog;
    // The address that people use is CloudFront's.
    this.node.tryRemoveChild('Endpoint');

    const invoker = this.addInvoker(functions);
    const custom = {
      authorizationType: AuthorizationType.CUSTOM,
      authorizer: new RequestAuthorizer(this, 'Authorizer', {
        handler: functions.authorizer.target,
        assumeRole: invoker,
        // Also when nothing is cached: a request without it is 401 in the same words, whether the gateway or the authorizer
        // says so.
        identitySources: [IdentitySource.header('Authorization')],
        resultsCacheTtl: Duration.seconds(authorizerCacheSeconds),
      }),
    };
    for (const [{ method, path, role }, { target }] of functions.endpoints) {
      const resource = this.root.resourceForPath(path);
      const options = role === 'none' ? { authorizationType: AuthorizationType.NONE } : custom;
      for (const name of methodsOf({ method })) {
        // The function answers HEAD as it answers GET; the gateway, like every HTTP server, sends no body then.
        const added = resource.addMethod(name, integrationOf(target, invoker), options);
        if (role === 'none')
          Validations.of(added).acknowledge({
            id: 'AwsSolutions-APIG4',
            reason: 'Load balancers and probes have no key. The reply contains only whether the table answers.',
          });
      }
    }
    this.addCatchAll(integrationOf(functions.catchAll.target, invoker), custom);
    this.addGatewayResponses();
    this.acknowledgeFindings(settings.waf);
  }

  /**
   * Any other method of a path that is there (405) and any other path (404), for those who have come in. The gateway would
   * say 403 to both, and echo an Authorization header that it cannot parse.
   */
  private addCatchAll(integration: Integration, options: MethodOptions): void {
    const resources = this.root.node.findAll().filter((construct) => construct instanceof Resource);
    for (const resource of [this.root, ...resources, this.root.addResource('{proxy+}')])
      resource.addMethod('ANY', integration, options);
  }

  /** The one role that calls the functions: a permission on each of them would be one resource more for every endpoint. */
  private addInvoker({ endpoints, authorizer, catchAll }: InventoryFunctions): IRole {
    const targets = [...endpoints.map(([, { target }]) => target), authorizer.target, catchAll.target];
    const statement = new PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      resources: targets.map(({ functionArn }) => functionArn),
    });
    const role = new Role(this, 'Invoker', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      description: 'Lets the gateway call the functions',
      inlinePolicies: { functions: new PolicyDocument({ statements: [statement] }) },
    });
    // Without updates from the CDK: everything is in the policy above.
    return role.withoutPolicyUpdates();
  }

  private addGatewayResponses(): void {
    for (const { type, httpStatus, headers, requestId, template } of gatewayResponses)
      this.addGatewayResponse(type, {
        type: ResponseType.of(type),
        statusCode: String(httpStatus),
        // A value in single quotes is literal; those inside it, as in a content security policy, stand for themselves.
        responseHeaders: {
          ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `'${value}'`])),
          // Without quotes and dollar sign: the value of a variable.
          [REQUEST_ID_HEADER]: `context.${requestId}`,
        },
        templates: { 'application/json': template },
      });
  }

  private acknowledgeFindings(waf: boolean): void {
    Validations.of(this).acknowledge(
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
          'AWS WAF is the setting waf=true. It is off by default because of its price. Every request is authenticated, throttled and validated without it.',
      });
  }
}
