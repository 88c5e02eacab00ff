import { endpoints } from '../functions/api/endpoints.ts';
import { gatewayResponses } from '../shared/http/gateway-responses.ts';
import { FIREWALL_RULES, PROVISIONED_FUNCTIONS } from '../tools/costs/fleet-tables.ts';
import { resourceAt, resourcesOf, statementsIn, synthesise, type Template } from './synthesise.ts';

const template = synthesise();
const methods = methodsOf(template);
const table = resourcesOf(template, 'AWS::DynamoDB::GlobalTable')[0]!;
const authorizer = resourcesOf(template, 'AWS::ApiGateway::Authorizer')[0]!;

const functionOf = (id: string) => resourceAt(template, `Functions/${id}/Function/Resource`);

/** `GET /v1/nodes/{node_id}` -> properties of the method. */
function methodsOf(of: Template): Map<string, any> {
  const resources = new Map(
    resourcesOf(of, 'AWS::ApiGateway::Resource').map(({ id, properties }): [string, any] => [id, properties]),
  );
  const pathOf = (ref: any): string => {
    const resource = resources.get(ref.Ref);
    return resource === undefined ? '' : `${pathOf(resource.ParentId)}/${resource.PathPart}`;
  };
  return new Map(
    resourcesOf(of, 'AWS::ApiGateway::Method').map(({ properties }: { properties: any }) => [
      `${properties.HttpMethod} ${pathOf(properties.ResourceId) || '/'}`,
      properties,
    ]),
  );
}

/** The function of a method. */
function calledBy(method: any): string {
  const found = JSON.stringify(method.Integration.Uri).match(/"Fn::GetAtt":\["(\w+)","Arn"\]/);
  return found?.[1] ?? '';
}

describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint]))('%s', (id, { method, path, role }) => {
  test('is a method of the gateway that calls its own function and no other, and HEAD beside GET', () => {
    for (const name of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
      const { Integration } = methods.get(`${name} ${path}`);
      expect(Integration).toMatchObject({ Type: 'AWS_PROXY', IntegrationHttpMethod: 'POST' });
      expect(calledBy({ Integration })).toBe(functionOf(id).id);
    }
  });

  test('asks the authorizer first, unless the contract lets everybody in', () => {
    for (const name of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
      const { AuthorizationType, AuthorizerId } = methods.get(`${name} ${path}`);
      expect([AuthorizationType, AuthorizerId]).toEqual(
        role === 'none' ? ['NONE', undefined] : ['CUSTOM', { Ref: authorizer.id }],
      );
    }
  });

  test('has a function with what the code reads from its environment, a log that ends, and traces', () => {
    const { properties } = functionOf(id);
    expect(properties).toMatchObject({
      Handler: 'index.handler',
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      TracingConfig: { Mode: 'Active' },
      LoggingConfig: { LogFormat: 'JSON', LogGroup: { Ref: resourceAt(template, `Functions/${id}/Log/Resource`).id } },
      Environment: {
        Variables: {
          TABLE_NAME: { Ref: table.id },
          SERVICE_VERSION: '1.2.3',
          BUILD_COMMIT: 'abc',
          BUILD_TIME: '2026-01-01T00:00:00.000Z',
        },
      },
    });
    expect(properties['Timeout']).toBeLessThanOrEqual(29);
    expect(resourceAt(template, `Functions/${id}/Log/Resource`).properties).toMatchObject({ RetentionInDays: 30 });
  });
});

test('the functions are called by one role, which only the gateway can take on; nobody else may call one but the clock its own', () => {
  const { id, properties } = resourceAt(template, 'Api/Invoker/Resource');
  const [trust] = statementsIn(properties['AssumeRolePolicyDocument']);
  expect(trust).toMatchObject({ Principal: { Service: 'apigateway.amazonaws.com' }, Action: ['sts:AssumeRole'] });
  const callers = [...methods.values()].map(({ Integration }) => Integration.Credentials);
  for (const credentials of [...callers, authorizer.properties['AuthorizerCredentials']])
    expect(credentials).toEqual({ 'Fn::GetAtt': [id, 'Arn'] });
  const grants = statementsIn(properties['Policies']);
  expect(grants).toMatchObject([{ Effect: 'Allow', Action: ['lambda:InvokeFunction'] }]);
  const called = [...endpoints.map((endpoint) => endpoint.id), 'authorizer', 'catchAll'];
  const arns = called.map((name) => JSON.stringify({ 'Fn::GetAtt': [functionOf(name).id, 'Arn'] }));
  expect(grants[0]!.Resource.map((arn) => JSON.stringify(arn)).sort()).toEqual(arns.sort());
  const clock = resourceAt(template, 'Cleanup/Schedule/Resource').id;
  const cleanup = resourceAt(template, 'Cleanup/scheduledCleanup/Function/Resource').id;
  expect(resourcesOf(template, 'AWS::Lambda::Permission').map(({ properties: granted }) => granted)).toEqual([
    {
      Action: 'lambda:InvokeFunction',
      FunctionName: { 'Fn::GetAtt': [cleanup, 'Arn'] },
      Principal: 'events.amazonaws.com',
      SourceArn: { 'Fn::GetAtt': [clock, 'Arn'] },
    },
  ]);
});

test('the role that calls the functions has room for its policy, which IAM ends at 10,240 characters', () => {
  const { properties } = resourceAt(synthesise({ provisionedConcurrency: 1 }), 'Api/Invoker/Resource');
  // With the longest possible ARN of Lambda for each reference: a generated name has at most 64 characters.
  const longest = `"arn:aws:lambda:ap-southeast-1:000000000000:function:${'x'.repeat(64)}:warm"`.length;
  const { Resource } = statementsIn(properties['Policies'])[0]!;
  expect(Resource.length * (longest + 1)).toBeLessThan(10_000);
});

test('there is no method but those of the endpoints and ANY', () => {
  const own = endpoints.flatMap(({ method, path }) =>
    (method === 'GET' ? ['GET', 'HEAD'] : [method]).map((name) => `${name} ${path}`),
  );
  expect([...methods.keys()].filter((name) => !name.startsWith('ANY ')).sort()).toEqual(own.sort());
});

test('every path that leads to an endpoint, the root and all other paths have ANY, for those who have come in', () => {
  const paths = new Set(['/', '/{proxy+}']);
  for (const { path } of endpoints)
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) paths.add(path.slice(0, end));
  const any = [...methods].filter(([name]) => name.startsWith('ANY '));
  expect(any.map(([name]) => name.slice('ANY '.length)).sort()).toEqual([...paths].sort());
  for (const [, method] of any) {
    expect(calledBy(method)).toBe(functionOf('catchAll').id);
    expect([method.AuthorizationType, method.AuthorizerId]).toEqual(['CUSTOM', { Ref: authorizer.id }]);
  }
});

test('the gateway answers in our words: every type of the table, with its status and headers, and no other', () => {
  const deployed = resourcesOf(template, 'AWS::ApiGateway::GatewayResponse').map(({ properties }) => properties as any);
  expect(deployed).toHaveLength(gatewayResponses.length);
  for (const { type, httpStatus, headers, template: body } of gatewayResponses)
    expect(deployed.find(({ ResponseType }) => ResponseType === type)).toMatchObject({
      StatusCode: String(httpStatus),
      ResponseTemplates: { 'application/json': body },
      ResponseParameters: {
        ...Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [`gatewayresponse.header.${name}`, `'${value}'`]),
        ),
        'gatewayresponse.header.X-Request-Id': 'context.extendedRequestId',
      },
    });
});

test('a deployment of the gateway waits for everything that is deployed with it, and changes with it', () => {
  const { dependsOn } = resourcesOf(template, 'AWS::ApiGateway::Deployment')[0]!;
  const parts = ['AWS::ApiGateway::Method', 'AWS::ApiGateway::GatewayResponse', 'AWS::ApiGateway::Resource'];
  for (const { id } of parts.flatMap((type) => resourcesOf(template, type))) expect(dependsOn).toContain(id);
});

describe('the authorizer', () => {
  test('is asked with the whole request, and its answer is kept by the Authorization header for 300 s', () => {
    expect(authorizer.properties).toMatchObject({
      Type: 'REQUEST',
      IdentitySource: 'method.request.header.Authorization',
      AuthorizerResultTtlInSeconds: 300,
    });
    expect(JSON.stringify(authorizer.properties['AuthorizerUri'])).toContain(functionOf('authorizer').id);
  });

  test('keeps nothing when told so, and a missing header stays the same 401', () => {
    const [other] = resourcesOf(synthesise({ authorizerCacheSeconds: 0 }), 'AWS::ApiGateway::Authorizer');
    expect(other!.properties).toMatchObject({
      AuthorizerResultTtlInSeconds: 0,
      IdentitySource: 'method.request.header.Authorization',
    });
  });
});

describe('the stage', () => {
  const stage: any = resourcesOf(template, 'AWS::ApiGateway::Stage')[0]!.properties;

  test('is throttled, traced, and never logs requests or replies', () => {
    expect(stage).toMatchObject({ StageName: 'live', TracingEnabled: true });
    expect(stage.MethodSettings).toEqual([
      {
        HttpMethod: '*',
        ResourcePath: '/*',
        DataTraceEnabled: false,
        ThrottlingRateLimit: 100,
        ThrottlingBurstLimit: 200,
      },
      ...['/~1v1~1agents~1{agent_id}~1report', '/~1v1~1reports'].map((ResourcePath) => ({
        HttpMethod: 'POST',
        ResourcePath,
        DataTraceEnabled: false,
        ThrottlingRateLimit: 500,
        ThrottlingBurstLimit: 500,
      })),
    ]);
  });

  test('logs named fields, none of which can hold a credential, a query or what a client has written', () => {
    const fields: Record<string, string> = JSON.parse(stage.AccessLogSetting.Format);
    expect(Object.keys(fields)).toContain('request_id');
    for (const variable of Object.values(fields))
      expect(variable).not.toMatch(
        /header|query|override|context\.path$|userAgent|context\.requestId$|messageString|identity\.(?!sourceIp$)/i,
      );
  });

  test('is made after the account has a role for its logs', () => {
    const { dependsOn } = resourcesOf(template, 'AWS::ApiGateway::Stage')[0]!;
    expect(dependsOn).toContain(resourceAt(template, 'GatewayLogs/Ensured/Default').id);
    expect(resourcesOf(template, 'AWS::ApiGateway::Account')).toEqual([]);
    expect(resourceAt(template, 'GatewayLogs/Role/Resource').deletionPolicy).toBe('Retain');
  });
});

test('the gateway is regional, compresses, and takes what a function has compressed', () => {
  expect(resourcesOf(template, 'AWS::ApiGateway::RestApi')[0]!.properties).toMatchObject({
    EndpointConfiguration: { Types: ['REGIONAL'] },
    MinimumCompressionSize: 1024,
    BinaryMediaTypes: ['*/*'],
  });
});

test('a thousandth of the reports is traced, unless the rules of the account are to apply', () => {
  const rules = resourcesOf(template, 'AWS::XRay::SamplingRule').map(({ properties }: any) => properties.SamplingRule);
  const paths = rules.map(({ HTTPMethod, URLPath }) => `${HTTPMethod} ${URLPath}`);
  expect(paths.sort()).toEqual(['POST */v1/agents/*/report', 'POST */v1/reports']);
  for (const { RuleName, FixedRate, ReservoirSize } of rules) {
    expect([FixedRate, ReservoirSize]).toEqual([0.001, 0]);
    expect(RuleName.length).toBeLessThanOrEqual(32);
  }
  expect(new Set(rules.map(({ RuleName }) => RuleName)).size).toBe(rules.length);
  expect(resourcesOf(synthesise({ sampleReports: false }), 'AWS::XRay::SamplingRule')).toEqual([]);
});

test('settings reach the gateway', () => {
  const other = synthesise({
    stageName: 'test',
    throttleRate: 7,
    throttleBurst: 8,
    reportRate: 9,
    waf: true,
    provisionedConcurrency: 2,
  });
  const [stage] = resourcesOf(other, 'AWS::ApiGateway::Stage');
  expect(stage!.properties).toMatchObject({
    StageName: 'test',
    MethodSettings: [
      { ThrottlingRateLimit: 7, ThrottlingBurstLimit: 8 },
      { ThrottlingRateLimit: 9, ThrottlingBurstLimit: 9 },
      { ThrottlingRateLimit: 9, ThrottlingBurstLimit: 9 },
    ],
  });
  expect(resourcesOf(other, 'AWS::WAFv2::WebACLAssociation')).toHaveLength(1);
  expect(resourcesOf(template, 'AWS::WAFv2::WebACL')).toEqual([]);
  const [acl] = resourcesOf(other, 'AWS::WAFv2::WebACL');
  expect(acl!.properties['Rules']).toHaveLength(FIREWALL_RULES);
  const { id } = resourceAt(other, 'Functions/getNode/Warm/Resource');
  expect(JSON.stringify(methodsOf(other).get('GET /v1/nodes/{node_id}').Integration.Uri)).toContain(id);
  // Functions for administrators have no provisioned instances.
  const warm = resourcesOf(other, 'AWS::Lambda::Alias').map(({ path }) => path.split('/')[1]);
  const wanted = endpoints.filter(({ role }) => role !== 'Admin').map((endpoint) => endpoint.id);
  expect(warm.sort()).toEqual([...wanted, 'authorizer'].sort());
  expect(warm).toHaveLength(PROVISIONED_FUNCTIONS);
});
