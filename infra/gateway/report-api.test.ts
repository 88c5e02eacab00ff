import { endpoints } from '../../functions/api/endpoints.ts';
import { facades } from '../../functions/facades.ts';
import { reportPaths } from '../../functions/contract/report-paths.ts';
import { createAuthorizer } from '../../functions/triggers/authorizer/handler.ts';
import { authorizerEvent, proxyEvent } from '../../local/gateway/proxy-event.ts';
import { lambdaContext } from '../../local/gateway/lambda-context.ts';
import { loadFunctions } from '../../local/gateway/functions.ts';
import { createPasswordCheck } from '../../local/login/password-check.ts';
import { addHost } from '../../tests/support/add.ts';
import { resourceAt, resourcesOf, synthesise } from '../synthesis/synthesise.ts';
import { reportLogFields } from './access-log.ts';
import { useInventory } from '../../tests/support/fixtures.ts';

const template = synthesise({
  reportEndpoint: 'http',
  reportRate: 700,
  authorizerCacheSeconds: 240,
  silenceAlarm: true,
});
const definition: any = resourceAt(template, 'Reports/Api').properties['Body'];
const stage: any = resourceAt(template, 'Reports/Stage').properties;

const idOf = (path: string) => resourceAt(template, `Functions/${path}/Function/Resource`).id;

test('it does not exist by default', () => {
  const without = synthesise();
  expect(resourcesOf(without).filter(({ type }) => type.startsWith('AWS::ApiGatewayV2::'))).toEqual([]);
  expect(without.Outputs).not.toHaveProperty('ReportUrl');
});

test("the routes are those of reports, with their functions, the authorizer and the REST API's event format", () => {
  expect(Object.keys(definition.paths).sort()).toEqual([...reportPaths].sort());
  const contracts = [...endpoints, ...facades].filter(({ frequent }) => frequent === true);
  for (const contract of contracts) {
    expect(contract.role).not.toBe('none');
    const paths = 'paths' in contract ? contract.paths : [contract.path];
    for (const path of paths) {
      expect(Object.keys(definition.paths[path])).toEqual(['post']);
      const { post } = definition.paths[path];
      expect(post.security).toEqual([{ authorizer: [] }]);
      const integration = post['x-amazon-apigateway-integration'];
      expect(integration).toMatchObject({ type: 'aws_proxy', payloadFormatVersion: '1.0', timeoutInMillis: 29_000 });
      expect(JSON.stringify(integration.uri)).toContain(idOf(contract.id));
    }
  }
  const scheme = definition.components.securitySchemes.authorizer['x-amazon-apigateway-authorizer'];
  expect(scheme).toMatchObject({
    type: 'request',
    identitySource: '$request.header.Authorization',
    authorizerPayloadFormatVersion: '1.0',
    authorizerResultTtlInSeconds: 240,
  });
  expect(JSON.stringify(scheme.authorizerUri)).toContain(idOf('authorizer'));
});

test('only this API may call these functions by its own permissions', () => {
  const { id } = resourceAt(template, 'Reports/Api');
  const permissions = resourcesOf(template, 'AWS::Lambda::Permission').filter(({ path }) =>
    path.startsWith('Reports/'),
  );
  expect(permissions).toHaveLength(reportPaths.length + 1);
  for (const { properties } of permissions) {
    expect(properties).toMatchObject({ Action: 'lambda:InvokeFunction', Principal: 'apigateway.amazonaws.com' });
    expect(JSON.stringify(properties['SourceArn'])).toContain(`{"Ref":"${id}"}`);
  }
});

test("each route has the reports' throttle, and its requests are in the common log", () => {
  const limits = { ThrottlingRateLimit: 700, ThrottlingBurstLimit: 700 };
  expect(stage).toMatchObject({ StageName: '$default', DefaultRouteSettings: limits });
  expect(stage.RouteSettings).toEqual(Object.fromEntries(reportPaths.map((path) => [`POST ${path}`, limits])));
  const { id } = resourceAt(template, 'ApiAccessLog/Resource');
  expect(stage.AccessLogSettings.DestinationArn).toEqual({ 'Fn::GetAtt': [id, 'Arn'] });
  const { latency_ms: _, ...fields } = reportLogFields;
  for (const [name, variable] of Object.entries(fields))
    expect(stage.AccessLogSettings.Format).toContain(`"${name}":"${variable}"`);
  expect(stage.AccessLogSettings.Format).toContain('"latency_ms":$context.responseLatency');
});

test('a closed API has no address for reports', () => {
  const closed = resourceAt(synthesise({ reportEndpoint: 'http', closed: true }), 'Reports/Api').properties;
  expect(closed).toMatchObject({ DisableExecuteApiEndpoint: true });
  expect(resourceAt(template, 'Reports/Api').properties).toMatchObject({ DisableExecuteApiEndpoint: false });
});

test('its errors raise an alarm, and the alarm for silence watches it', () => {
  const { id } = resourceAt(template, 'Reports/Api');
  const ofReports = { Namespace: 'AWS/ApiGateway', Dimensions: [{ Name: 'ApiId', Value: { Ref: id } }] };
  expect(resourceAt(template, 'Operations/ReportsFail/Resource').properties).toMatchObject({
    ...ofReports,
    MetricName: '5xx',
    Statistic: 'Average',
    Threshold: 0.05,
  });
  expect(resourceAt(template, 'Operations/NoRequestsArrive/Resource').properties).toMatchObject({
    ...ofReports,
    MetricName: 'Count',
  });
});

test('the version and an output contain its address', () => {
  const { id } = resourceAt(template, 'Reports/Api');
  const { Environment: environment } = resourceAt(template, 'Functions/getVersion/Function/Resource').properties as any;
  expect(JSON.stringify(environment.Variables.REPORT_URL)).toContain(`["https://",{"Ref":"${id}"},".execute-api."`);
  expect(template.Outputs['ReportUrl']?.Value).toEqual(environment.Variables.REPORT_URL);
});

describe('a request through it', () => {
  const inventory = useInventory();

  /** A report as an HTTP API handles it: it denies only what the authorizer denies or fails at. */
  async function report(key: string) {
    const { pmmAgentId } = await addHost(inventory);
    const request = {
      method: 'POST',
      url: `/v1/agents/${pmmAgentId}/report`,
      rawHeaders: ['authorization', `Bearer ${key}`, 'content-type', 'application/json'],
      body: '{"agents": []}',
      sourceIp: '192.0.2.7',
    };
    const resource = '/v1/agents/{agent_id}/report';
    const event = proxyEvent(request, {
      ...{ requestId: 'r', resource, params: { agent_id: pmmAgentId } },
      authorizer: undefined,
    });
    const authorizer = createAuthorizer(() => inventory.dependencies, createPasswordCheck());
    const outcome = await authorizer({ ...authorizerEvent(event), version: '1.0' } as never);
    expect(outcome.policyDocument.Statement[0]).toMatchObject({ Effect: 'Allow' });
    event.requestContext.authorizer = { principalId: outcome.principalId, ...outcome.context };
    const { handlers } = await loadFunctions(inventory.dependencies);
    const reply = await handlers.get('reportAgents')!(event, lambdaContext('reportAgents', 'r', 20_000));
    return { status: reply.statusCode, headers: reply.headers, body: JSON.parse(reply.body) };
  }

  test('is accepted with a valid key', async () => {
    expect(await report(inventory.keys.Editor)).toMatchObject({ status: 200, body: { taken: 0 } });
  });

  test('is refused with an unknown credential like in the REST API, by status, body and challenge', async () => {
    const unknown = inventory.keys.Editor.replace(/.{4}$/, 'zzzz');
    const refused = await report(unknown);
    const headers = { Authorization: `Bearer ${unknown}` };
    const ofRest = await inventory.request('POST', '/v1/agents/x/report', { as: null, headers, body: { agents: [] } });
    expect(refused).toMatchObject({ status: 401, body: { message: 'Invalid API key' } });
    expect({ ...refused.body, request_id: '' }).toEqual({ ...ofRest.body, request_id: '' });
    expect(refused.headers?.['WWW-Authenticate']).toBeDefined();
  });

  test('is refused by role as in the REST API', async () => {
    expect(await report(inventory.keys.Viewer)).toMatchObject({ status: 403 });
  });
});
