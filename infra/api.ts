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

/** Larger replies are compressed for clients that accept it; the local server has the same setting. */
const COMPRESS_ABOVE_BYTES = 1024;

/**
 * Why an endpoint requires no credentials, by its id. Without a reason here, cdk-nag reports the endpoint and the
 * synthesis fails.
 */
const publicReasons: Readonly<Record<string, string>> = {
  getReadiness: 'Load balancers and probes have no key. The reply contains only whether the table can be used.',
  enrolNode: 'A host has no key yet: it sends an enrolment token in the body, and the function checks the token.',
};

export interface InventoryApiProps {
  readonly settings: Settings;
  readonly removalPolicy: RemovalPolicy;
  readonly functions: InventoryFunctions;
}

/** The endpoints that every host calls every few minutes. */
export const frequentIn = ({ endpoints }: InventoryFunctions) =>
  endpoints.flatMap(([endpoint]) => (endpoint.frequent === true ? [endpoint] : []));

/** As the CDK's LambdaIntegration, which requires a permission on each function. */
function integrationOf({ functionArn }: IFunction, credentialsRole: IRole): Integration {
  return new AwsIntegration({
    proxy: true,
    service: 'lambda',
    path: `2015-03-31/functions/${functionArn}/invocations`,
    options: { credentialsRole },
  });
}

/**
 * The gateway: a method for each endpoint, the authorizer, and our error format for the replies of the gateway itself.
 */
export class InventoryApi extends RestApi {
  readonly accessLog: LogGroup;

  constructor(scope: Construct, id: string, props: InventoryApiProps) {
    const { settings, removalPolicy, functions } = props;
    const { stageName, throttleRate, throttleBurst, reportRate, authorizerCacheSeconds, logRetentionDays } = settings;
    const accessLog = new LogGroup(scope, `${id}AccessLog`, { retention: logRetentionDays, removalPolicy });
    super(scope, id, {
      // CloudWatch distinguishes the metrics of APIs by this name.
      restApiName: Names.uniqueResourceName(scope, { maxLength: 64, separator: '-' }),
      description: 'Inventory of nodes, services and agents',
      endpointTypes: [EndpointType.REGIONAL],
      minCompressionSize: Size.bytes(COMPRESS_ABOVE_BYTES),
      // Permits functions to return bodies that they have compressed themselves (shared/http/carry.ts). With a specific
      // type, the gateway would depend on Accept, which some clients omit. A consequence: it passes request bodies as
      // Base64. https://docs.aws.amazon.com/apigateway/latest/developerguide/lambda-proxy-binary-media.html
      binaryMediaTypes: ['*/*'],
      // The role for logs belongs to the account, see gateway-log-role.ts.
      cloudWatchRole: false,
      deployOptions: {
        stageName,
        throttlingRateLimit: throttleRate,
        throttlingBurstLimit: throttleBurst,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat,
        dataTraceEnabled: false,
        tracingEnabled: true,
        methodOptions: Object.fromEntries(
          frequentIn(functions).map(({ path, method }) => [
            `${path}/${method}`,
            { throttlingRateLimit: reportRate, throttlingBurstLimit: reportRate },
          ]),
        ),
      },
    });
    this.accessLog = accessLog;
    // Users use the address of CloudFront.
    this.node.tryRemoveChild('Endpoint');

    const invoker = this.addInvoker(functions);
    const custom = {
      authorizationType: AuthorizationType.CUSTOM,
      authorizer: new RequestAuthorizer(this, 'Authorizer', {
        handler: functions.authorizer.target,
        assumeRole: invoker,
        // Also without a cache: a request without the header gets the same 401 from the gateway as from the authorizer.
        identitySources: [IdentitySource.header('Authorization')],
        resultsCacheTtl: Duration.seconds(authorizerCacheSeconds),
      }),
    };
    for (const [{ id: endpointId, method, path, role }, { target }] of functions.endpoints) {
      const resource = this.root.resourceForPath(path);
      const options = role === 'none' ? { authorizationType: AuthorizationType.NONE } : custom;
      const reason = publicReasons[endpointId];
      for (const name of methodsOf({ method })) {
        // The function handles HEAD as GET; the gateway, like every HTTP server, then sends no body.
        const added = resource.addMethod(name, integrationOf(target, invoker), options);
        if (role === 'none' && reason !== undefined)
          Validations.of(added).acknowledge({ id: 'AwsSolutions-APIG4', reason });
      }
    }
    this.addCatchAll(integrationOf(functions.catchAll.target, invoker), custom);
    this.addGatewayResponses();
    this.acknowledgeFindings(settings.waf);
  }

  /**
   * Replies 405 to other methods of existing paths, and 404 to other paths, for authenticated callers. The gateway
   * itself would reply 403 to both, and would echo an Authorization header that it cannot parse.
   */
  private addCatchAll(integration: Integration, options: MethodOptions): void {
    const resources = this.root.node.findAll().filter((construct) => construct instanceof Resource);
    for (const resource of [this.root, ...resources, this.root.addResource('{proxy+}')])
      resource.addMethod('ANY', integration, options);
  }

  /**
   * A single role that invokes the functions: permissions on the functions would be one more resource for every
   * endpoint.
   */
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
    // Without updates by the CDK: the policy above is complete.
    return role.withoutPolicyUpdates();
  }

  private addGatewayResponses(): void {
    for (const { type, httpStatus, headers, requestId, template } of gatewayResponses)
      this.addGatewayResponse(type, {
        type: ResponseType.of(type),
        statusCode: String(httpStatus),
        // A value in single quotes is literal. Single quotes inside it, as in a content security policy, need no
        // escaping.
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
          'AWS WAF is the setting waf=true. It is off by default because of its price. Every request is throttled and validated without it, and all but readiness checks are authenticated.',
      });
  }
}
