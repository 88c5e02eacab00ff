import { Stack, Validations } from 'aws-cdk-lib';
import { CfnApi, CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { Metric, type MetricOptions, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnPermission, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { methodsOf, methodsOfFacade } from '../../shared/http/http-contract.ts';
import type { InventoryFunctions } from '../functions/inventory-functions.ts';
import { TIMEOUT_SECONDS } from '../functions/inventory-function.ts';
import { regionalName } from '../settings/names.ts';
import type { Settings } from '../settings/settings-table.ts';
import { reportLogFormat } from './access-log.ts';
import { AUTHORIZER } from './api-definition.ts';

export interface ReportApiProps {
  readonly settings: Pick<Settings, 'authorizerCacheSeconds' | 'closed' | 'reportRate'>;
  readonly functions: InventoryFunctions;
  /** The log of the API of all requests, so that both have the same metrics. */
  readonly accessLog: LogGroup;
}

interface ReportRoute {
  readonly method: string;
  readonly path: string;
  readonly target: IFunction;
}

/** The routes of all contracts that are `frequent`. */
function reportRoutes({ endpoints, facades }: InventoryFunctions): ReportRoute[] {
  const ofEndpoints = endpoints
    .filter(([{ frequent }]) => frequent === true)
    .flatMap(([endpoint, { target }]) =>
      methodsOf(endpoint).map((method) => ({ method, path: endpoint.path, target })),
    );
  const ofFacades = facades
    .filter(([{ frequent }]) => frequent === true)
    .flatMap(([facade, { target }]) =>
      facade.paths.flatMap((path) => (methodsOfFacade(facade) ?? []).map((method) => ({ method, path, target }))),
    );
  return [...ofEndpoints, ...ofFacades];
}

/** The format of the events of functions, of the authorizer too: that of a REST API. */
const PAYLOAD_FORMAT = '1.0';

/**
 * An HTTP API for reports only: the functions and the authorizer of the REST API, with the same events. It is a second
 * address, because an HTTP API cannot be a part of a REST API.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-vs-rest.html
 */
export class ReportApi extends Construct {
  /** The base of request URLs, without a final slash. */
  readonly url: string;
  private readonly apiId: string;

  constructor(scope: Construct, id: string, { settings, functions, accessLog }: ReportApiProps) {
    super(scope, id);
    const { partition, region, account, urlSuffix } = Stack.of(this);
    const routes = reportRoutes(functions);
    const uriOf = ({ functionArn }: IFunction) =>
      `arn:${partition}:apigateway:${region}:lambda:path/2015-03-31/functions/${functionArn}/invocations`;
    const authorizer = functions.authorizer.target;
    const api = new CfnApi(this, 'Api', {
      body: definitionOf(`${regionalName(this)}-reports`, routes, uriOf, {
        type: 'request',
        identitySource: '$request.header.Authorization',
        authorizerUri: uriOf(authorizer),
        authorizerPayloadFormatVersion: PAYLOAD_FORMAT,
        authorizerResultTtlInSeconds: settings.authorizerCacheSeconds,
      }),
      // A closed API has no address: no throttle of zero is documented.
      disableExecuteApiEndpoint: settings.closed,
    });
    const throttle = { throttlingRateLimit: settings.reportRate, throttlingBurstLimit: settings.reportRate };
    const stage = new CfnStage(this, 'Stage', {
      apiId: api.ref,
      stageName: '$default',
      autoDeploy: true,
      accessLogSettings: { destinationArn: accessLog.logGroupArn, format: reportLogFormat },
      defaultRouteSettings: throttle,
      routeSettings: Object.fromEntries(
        routes.map(({ method, path }) => [
          `${method} ${path}`,
          // Names of CloudFormation, because the CDK passes on this property as it is.
          { ThrottlingRateLimit: settings.reportRate, ThrottlingBurstLimit: settings.reportRate },
        ]),
      ),
    });
    for (const [index, { functionArn }] of [...routes.map(({ target }) => target), authorizer].entries())
      new CfnPermission(this, `Call${index}`, {
        action: 'lambda:InvokeFunction',
        functionName: functionArn,
        principal: 'apigateway.amazonaws.com',
        sourceArn: `arn:${partition}:execute-api:${region}:${account}:${api.ref}/*`,
      });
    Validations.of(stage).acknowledge({
      id: 'Serverless-APIGWStructuredLogging',
      reason: 'Each line is JSON. In the format, one variable is without quotes, because its values are numbers.',
    });
    this.apiId = api.ref;
    this.url = `https://${api.ref}.execute-api.${region}.${urlSuffix}`;
  }

  /** A metric of all requests: `Count`, `4xx`, `5xx`; the sum of five minutes by default. */
  metric(metricName: string, options?: MetricOptions): Metric {
    const of = { namespace: 'AWS/ApiGateway', dimensionsMap: { ApiId: this.apiId }, statistic: Stats.SUM };
    return new Metric({ ...of, metricName, ...options });
  }
}

/** The document that the HTTP API imports. */
function definitionOf(
  title: string,
  routes: readonly ReportRoute[],
  uriOf: (target: IFunction) => string,
  authorizer: object,
) {
  const operation = ({ path, target }: ReportRoute) => ({
    parameters: [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    responses: { default: { description: 'The reply of the function.' } },
    security: [{ [AUTHORIZER]: [] }],
    'x-amazon-apigateway-integration': {
      type: 'aws_proxy',
      httpMethod: 'POST',
      uri: uriOf(target),
      payloadFormatVersion: PAYLOAD_FORMAT,
      timeoutInMillis: TIMEOUT_SECONDS * 1000,
    },
  });
  return {
    openapi: '3.0.1',
    info: { title, version: '1' },
    paths: Object.fromEntries(routes.map((route) => [route.path, { [route.method.toLowerCase()]: operation(route) }])),
    components: {
      securitySchemes: {
        [AUTHORIZER]: {
          type: 'apiKey',
          name: 'Authorization',
          in: 'header',
          'x-amazon-apigateway-authorizer': authorizer,
        },
      },
    },
  };
}
