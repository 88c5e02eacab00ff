import { endpoints } from '../../functions/api/endpoints.ts';
import { facades, servedFacades } from '../../functions/facades.ts';
import { methodsOfFacade } from '../../shared/http/http-contract.ts';
import { gatewayResponses } from '../../shared/http/gateway-responses.ts';
import { functionsIn, PROVISIONED_GROUPS } from '../settings/provisioned.ts';
import { resourceAt, resourcesOf, statementsIn, synthesise, type Template } from '../synthesis/synthesise.ts';

const template = synthesise();
const definition = definitionOf(template);
const methods = methodsOf(definition);
const table = resourcesOf(template, 'AWS::DynamoDB::GlobalTable')[0]!;

const functionOf = (id: string) => resourceAt(template, `Functions/${id}/Function/Resource`);

/** The document that the gateway imports. */
function definitionOf(of: Template): any {
  const { properties } = resourceAt(of, 'Api/Resource');
  expect(properties['Mode']).toBe('overwrite');
  return properties['Body'];
}

/** `GET /v1/nodes/{node_id}` -> the operation. */
function methodsOf({ paths }: any): Map<string, any> {
  return new Map(
    Object.entries<any>(paths).flatMap(([path, item]) =>
      Object.entries<any>(item).map(([name, operation]): [string, any] => [
        `${name === 'x-amazon-apigateway-any-method' ? 'ANY' : name.toUpperCase()} ${path}`,
        operation,
      ]),
    ),
  );
}

const integrationOf = (operation: any): any => operation['x-amazon-apigateway-integration'];

/** The function that a URI of the gateway calls. */
function calledBy(uri: unknown): string {
  const text = JSON.stringify(uri);
  expect(text).toContain(':lambda:path/2015-03-31/functions/');
  return text.match(/"Fn::GetAtt":\["(\w+)","Arn"\]/)?.[1] ?? '';
}

test('the gateway gets one document, in an OpenAPI version that it reads', () => {
  expect(definition.openapi).toMatch(/^3\.0\./);
  const parts = resourcesOf(template).filter(({ type }) => type.startsWith('AWS::ApiGateway::'));
  expect(parts.map(({ type }) => type).sort()).toEqual([
    'AWS::ApiGateway::Deployment',
    'AWS::ApiGateway::RestApi',
    'AWS::ApiGateway::Stage',
  ]);
  // API Gateway reads no more than 6 MB. https://docs.aws.amazon.com/apigateway/latest/api/API_PutRestApi.html
  expect(JSON.stringify(definition).length).toBeLessThan(200_000);
});

test("the gateway's own address requires TLS 1.2, also after an import of the definition", () => {
  const [SecurityPolicy, EndpointAccessMode] = ['SecurityPolicy_TLS13_1_2_2021_06', 'BASIC'];
  expect(resourceAt(template, 'Api/Resource').properties).toMatchObject({ SecurityPolicy, EndpointAccessMode });
  expect(definition).toMatchObject({
    'x-amazon-apigateway-security-policy': SecurityPolicy,
    'x-amazon-apigateway-endpoint-access-mode': EndpointAccessMode,
  });
});

test('every path parameter is declared, as OpenAPI requires', () => {
  for (const [name, { parameters = [] }] of methods) {
    const wanted = [...name.matchAll(/\{(\w+)\+?\}/g)].map(([, parameter]) => parameter);
    expect(parameters.map((parameter: any) => [parameter.name, parameter.in, parameter.required])).toEqual(
      wanted.map((parameter) => [parameter, 'path', true]),
    );
  }
});

test('only endpoints for callers without a key need no credentials', () => {
  const health = new Set(facades.filter(({ role }) => role === 'none').flatMap(({ paths }) => paths));
  const open = [...methods].filter(
    ([name, { security }]) => security === undefined && !health.has(name.split(' ')[1] ?? ''),
  );
  expect(open.map(([name]) => name).sort()).toEqual([
    'GET /v1/logins',
    'GET /v1/readyz',
    'HEAD /v1/logins',
    'HEAD /v1/readyz',
    'POST /v1/device-authorizations',
    'POST /v1/enrolment',
    'POST /v1/logins',
  ]);
});

describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint]))('%s', (id, { method, path, role }) => {
  const names = method === 'GET' ? ['GET', 'HEAD'] : [method];

  test('is a gateway method that calls only its own function, with HEAD beside GET', () => {
    for (const name of names) {
      const integration = integrationOf(methods.get(`${name} ${path}`));
      expect(integration).toMatchObject({ type: 'aws_proxy', httpMethod: 'POST' });
      expect(calledBy(integration.uri)).toBe(functionOf(id).id);
    }
  });

  test('calls the authorizer first, unless the contract admits everybody', () => {
    for (const name of names)
      expect(methods.get(`${name} ${path}`).security).toEqual(role === 'none' ? undefined : [{ authorizer: [] }]);
  });

  test('has a function with its environment, and a log with a retention', () => {
    const { properties } = functionOf(id);
    expect(properties).toMatchObject({
      Handler: 'index.handler',
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      LoggingConfig: { LogFormat: 'JSON', LogGroup: { Ref: resourceAt(template, 'Log/Resource').id } },
      Environment: {
        Variables: {
          TABLE_NAME: { Ref: table.id },
        },
      },
    });
    expect(properties['Timeout']).toBeLessThanOrEqual(29);
  });
});

test('the functions are called by roles for the gateway, one each, and otherwise only by their schedule', () => {
  const invokers = resourcesOf(template, 'AWS::IAM::Role').filter(({ path }) => path.startsWith('Invokers/'));
  const called = invokers.flatMap(({ id, properties }) => {
    const [trust] = statementsIn(properties['AssumeRolePolicyDocument']);
    expect(trust).toMatchObject({ Principal: { Service: 'apigateway.amazonaws.com' }, Action: ['sts:AssumeRole'] });
    const grants = statementsIn(properties['Policies']);
    expect(grants).toMatchObject([{ Effect: 'Allow', Action: ['lambda:InvokeFunction'] }]);
    return grants[0]!.Resource.map((arn: any): [string, string] => [arn['Fn::GetAtt'][0], id]);
  });
  const callerOf = new Map(called);
  const names = [...[...endpoints, ...facades].map((contract) => contract.id), 'authorizer', 'catchAll'];
  expect(called.map(([id]) => id).sort()).toEqual(names.map((name) => functionOf(name).id).sort());
  for (const { uri, credentials } of [...methods.values()].map(integrationOf))
    expect(credentials).toEqual({ 'Fn::GetAtt': [callerOf.get(calledBy(uri)), 'Arn'] });
  const { authorizerUri, authorizerCredentials } = authorizerOf(definition);
  expect(authorizerCredentials).toEqual({ 'Fn::GetAtt': [callerOf.get(calledBy(authorizerUri)), 'Arn'] });
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

test('the only methods are those of endpoints and facades, and ANY', () => {
  const ownMethods = endpoints.flatMap(({ method, path }) =>
    (method === 'GET' ? ['GET', 'HEAD'] : [method]).map((name) => `${name} ${path}`),
  );
  const ofFacades = facades.flatMap((facade) =>
    facade.paths.flatMap((path) => (methodsOfFacade(facade) ?? []).map((name) => `${name} ${path}`)),
  );
  const routes = [...methods.keys()].filter((name) => !name.startsWith('ANY '));
  expect(routes.sort()).toEqual([...ownMethods, ...ofFacades].sort());
});

const left = servedFacades(false).map(({ id }) => id);

test.each(facades)('$id serves its paths with its methods, and a setting omits those of PMM', (facade) => {
  const { id, paths, role } = facade;
  for (const path of paths)
    for (const name of methodsOfFacade(facade) ?? ['ANY']) {
      const method = methods.get(`${name} ${path}`);
      expect(calledBy(integrationOf(method).uri)).toBe(functionOf(id).id);
      expect(method.security).toEqual(role === 'none' ? undefined : [{ authorizer: [] }]);
    }
  const without = synthesise({ pmmCompatibility: false });
  const isLeft = resourcesOf(without).some(({ path }) => path.startsWith(`Functions/${id}/`));
  expect(isLeft).toBe(left.includes(id));
  expect(left).toEqual(['opamp', 'endProviderSession']);
  const version = resourceAt(without, 'Functions/getVersion/Function/Resource').properties['Environment'];
  expect(version).toMatchObject({ Variables: { PMM_COMPATIBILITY: 'false' } });
});

test('without credentials, the readiness checks of PMM accept GET and HEAD only', () => {
  for (const path of ['/ping', '/v1/server/readyz', '/v1/server/leaderHealthCheck', '/graph/api/health']) {
    const open = [...methods].filter(([name, { security }]) => name.endsWith(` ${path}`) && security === undefined);
    expect(open.map(([name]) => name)).toEqual([`GET ${path}`, `HEAD ${path}`]);
    expect(methods.get(`ANY ${path}`)?.security).toEqual([{ authorizer: [] }]);
  }
});

const ofFacades = new Set(facades.flatMap(({ paths }) => paths.map((path) => `ANY ${path}`)));

test('every path to an endpoint, the root and all other paths have ANY for admitted callers', () => {
  const paths = new Set(['/', '/{proxy+}']);
  for (const { path } of endpoints)
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) paths.add(path.slice(0, end));
  const any = [...methods].filter(([name]) => name.startsWith('ANY ') && !ofFacades.has(name));
  expect(any.map(([name]) => name.slice('ANY '.length)).sort()).toEqual([...paths].sort());
  for (const [, method] of any) {
    expect(calledBy(integrationOf(method).uri)).toBe(functionOf('catchAll').id);
    expect(method.security).toEqual([{ authorizer: [] }]);
  }
});

test('the gateway replies in our form: every type of the table with its status and headers, and no other', () => {
  const replies = definition['x-amazon-apigateway-gateway-responses'];
  expect(Object.keys(replies).sort()).toEqual(gatewayResponses.map(({ type }) => type).sort());
  for (const { type, httpStatus, headers, template: body } of gatewayResponses)
    expect(replies[type]).toEqual({
      statusCode: String(httpStatus),
      responseTemplates: { 'application/json': body },
      responseParameters: {
        ...Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [`gatewayresponse.header.${name}`, `'${value}'`]),
        ),
        'gatewayresponse.header.X-Request-Id': 'context.extendedRequestId',
      },
    });
});

test('a changed definition makes a new gateway deployment', () => {
  const idOf = (of: Template) => resourcesOf(of, 'AWS::ApiGateway::Deployment')[0]!.id;
  const again = synthesise({}, () => undefined);
  expect(idOf(again)).toBe(idOf(template));
  expect(idOf(synthesise({ authorizerCacheSeconds: 7 }))).not.toBe(idOf(template));
});

/** The settings of the authorizer in the API definition. */
function authorizerOf({ components: { securitySchemes } }: any): any {
  expect(Object.keys(securitySchemes)).toEqual(['authorizer']);
  const { 'x-amazon-apigateway-authorizer': authorizer, ...scheme } = securitySchemes.authorizer;
  expect(scheme).toEqual({
    type: 'apiKey',
    name: 'Authorization',
    in: 'header',
    'x-amazon-apigateway-authtype': 'custom',
  });
  return authorizer;
}

describe('the authorizer', () => {
  test('gets the whole request, and its reply is cached by the Authorization header for 300 s', () => {
    const { authorizerUri, ...authorizer } = authorizerOf(definition);
    expect(authorizer).toMatchObject({
      type: 'request',
      identitySource: 'method.request.header.Authorization',
      authorizerResultTtlInSeconds: 300,
    });
    expect(calledBy(authorizerUri)).toBe(functionOf('authorizer').id);
  });

  test('caches nothing with the setting 0, and a missing header is the same 401', () => {
    expect(authorizerOf(definitionOf(synthesise({ authorizerCacheSeconds: 0 })))).toMatchObject({
      authorizerResultTtlInSeconds: 0,
      identitySource: 'method.request.header.Authorization',
    });
  });
});

test('the gateway is regional, compresses, and accepts compressed function replies', () => {
  expect(resourceAt(template, 'Api/Resource').properties).toMatchObject({
    EndpointConfiguration: { Types: ['REGIONAL'] },
  });
  expect(definition).toMatchObject({
    'x-amazon-apigateway-minimum-compression-size': 1024,
    'x-amazon-apigateway-binary-media-types': ['*/*'],
  });
});

test('settings reach the gateway', () => {
  const other = synthesise({
    stageName: 'test',
    throttleRate: 7,
    throttleBurst: 8,
    reportRate: 9,
    openRate: 10,
    loginRate: 11,
    waf: true,
    provisionedConcurrency: 2,
  });
  const [stage] = resourcesOf(other, 'AWS::ApiGateway::Stage');
  expect(stage!.properties).toMatchObject({
    StageName: 'test',
    MethodSettings: expect.arrayContaining([
      expect.objectContaining({ ThrottlingRateLimit: 7, ThrottlingBurstLimit: 8 }),
      ...[9, 10, 11].map((rate) => expect.objectContaining({ ThrottlingRateLimit: rate, ThrottlingBurstLimit: rate })),
    ]),
  });
  expect(resourcesOf(other, 'AWS::WAFv2::WebACLAssociation')).toHaveLength(1);
  expect(resourcesOf(template, 'AWS::WAFv2::WebACL')).toEqual([]);
  const [acl] = resourcesOf(other, 'AWS::WAFv2::WebACL');
  expect(acl!.properties['Rules']).toHaveLength(3);
  const { id } = resourceAt(other, 'Functions/getNode/Warm/Resource');
  expect(JSON.stringify(methodsOf(definitionOf(other)).get('GET /v1/nodes/{node_id}'))).toContain(id);
  // Functions for administrators have no provisioned instances.
  const warm = resourcesOf(other, 'AWS::Lambda::Alias').map(({ path }) => path.split('/')[1]);
  const wanted = endpoints.filter(({ role }) => role !== 'Admin').map((endpoint) => endpoint.id);
  expect(warm.sort()).toEqual([...wanted, 'authorizer'].sort());
  expect(warm).toHaveLength(functionsIn(PROVISIONED_GROUPS));
});
