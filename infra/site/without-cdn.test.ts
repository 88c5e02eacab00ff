import { endpoints } from '../../functions/api/endpoints.ts';
import { facades } from '../../functions/facades.ts';
import { InventoryStack } from '../inventory-stack.ts';
import { resourceAt, resourcesOf, statementsIn, synthesise, synthesiseStack } from '../synthesis/synthesise.ts';

const template = synthesise({ cdn: false });
const text = JSON.stringify(template);
const { paths }: any = resourceAt(template, 'Api/Resource').properties['Body'];
const calledBy = (operation: any): string =>
  /"Fn::GetAtt":\["(\w+)","Arn"\]/.exec(JSON.stringify(operation['x-amazon-apigateway-integration'].uri))![1]!;
const idOf = (name: string) => resourceAt(template, `Functions/${name}/Function/Resource`).id;

test('nothing belongs to CloudFront: no bucket, no origin secret', () => {
  expect(text).not.toMatch(/CloudFront::|"cloudfront\./);
  const paths = resourcesOf(template).map(({ path }) => path);
  expect(paths.filter((path) => /^(Site|OriginSecret)\//.test(path))).toEqual([]);
  expect(resourcesOf(template, 'AWS::S3::Bucket')).toEqual([]);
});

test('the gateway serves the site publicly at all paths outside the API', () => {
  for (const path of ['/', '/{proxy+}'])
    for (const method of ['get', 'head']) {
      expect([path, calledBy(paths[path][method])]).toEqual([path, idOf('serveSite')]);
      expect(paths[path][method].security).toBeUndefined();
    }
  expect(resourceAt(template, 'Functions/serveSite/Function/Resource').properties).toMatchObject({
    Handler: 'serve.handler',
  });
});

test('below /v1/ every path and other method calls the authorizer, also unknown ones', () => {
  const open = Object.entries<any>(paths).flatMap(([path, item]) =>
    Object.entries<any>(item)
      .filter(([, { security }]) => security === undefined)
      .map(([method]) => `${method} ${path}`),
  );
  const ofContracts = [...endpoints.map(({ role, path }) => ({ role, paths: [path] })), ...facades]
    .filter(({ role }) => role === 'none')
    .flatMap(({ paths: all }) => all);
  expect(
    open
      .filter((openPath) => openPath.includes('/v1/'))
      .every((openPath) => ofContracts.some((path) => openPath.endsWith(path))),
  ).toBe(true);
  expect(calledBy(paths['/v1/{proxy+}']['x-amazon-apigateway-any-method'])).toBe(idOf('catchAll'));
  for (const path of ['/', '/{proxy+}', '/v1/{proxy+}'])
    expect(paths[path]['x-amazon-apigateway-any-method'].security).toEqual([{ authorizer: [] }]);
});

test("the site's files have the throttle of open endpoints", () => {
  const [stage] = resourcesOf(template, 'AWS::ApiGateway::Stage');
  const settings: any[] = stage!.properties['MethodSettings'] as any[];
  for (const ResourcePath of ['/', '/~1{proxy+}'])
    expect(settings).toContainEqual(
      expect.objectContaining({ ResourcePath, HttpMethod: 'GET', ThrottlingRateLimit: 50 }),
    );
});

test("the outputs contain the API's address with its stage", () => {
  const { BaseUrl, MachineUrl, ConsoleUrl } = template.Outputs;
  expect(BaseUrl!.Value).toEqual(MachineUrl!.Value);
  expect(JSON.stringify(BaseUrl!.Value)).toContain('.execute-api.');
  expect(JSON.stringify(ConsoleUrl!.Value)).toMatch(/"\/"\]\]\}$/);
});

test('a custom host name has TLS 1.2, in the region, and its records', () => {
  const other = synthesise({
    cdn: false,
    domainName: 'inventory.example.com',
    certificateArn: 'arn:aws-us-gov:acm:us-gov-west-1:123456789012:certificate/abc',
    hostedZoneId: 'Z0123456789',
  });
  const [name] = resourcesOf(other, 'AWS::ApiGateway::DomainName');
  expect(name!.properties).toMatchObject({
    DomainName: 'inventory.example.com',
    EndpointConfiguration: { Types: ['REGIONAL'] },
    SecurityPolicy: 'TLS_1_2',
  });
  expect(resourcesOf(other, 'AWS::ApiGateway::BasePathMapping')).toHaveLength(1);
  expect(resourcesOf(other, 'AWS::Route53::RecordSet').map(({ properties }) => properties['Type'])).toEqual([
    'A',
    'AAAA',
  ]);
  expect(other.Outputs['BaseUrl']!.Value).toBe('https://inventory.example.com');
});

test('the firewall counts callers by their connecting address', () => {
  const [acl] = resourcesOf(synthesise({ cdn: false, waf: true }), 'AWS::WAFv2::WebACL');
  const [rate, ...others] = acl!.properties['Rules'] as any[];
  expect(rate.Statement.RateBasedStatement).toEqual({ AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit: 6000 });
  expect(others).toHaveLength(1);
});

test('no ARN contains the commercial partition, and no address its domain', () => {
  const everything = synthesise({ cdn: false, customerManagedKey: true, waf: true, provisionedConcurrency: 1 });
  const withPartition = resourcesOf(everything).filter(({ properties }) =>
    /"arn:aws:/.test(JSON.stringify(properties)),
  );
  expect(withPartition.map(({ path }) => path)).toEqual([]);
});

test("in China an account key permits China's CloudWatch Logs", () => {
  const china = synthesiseStack((app, assets) => {
    const env = { account: '123456789012', region: 'cn-north-1' };
    return new InventoryStack(app, 'China', { env, inventory: { assets, cdn: false, customerManagedKey: true } });
  });
  const [key] = resourcesOf(china, 'AWS::KMS::Key');
  const principals = statementsIn(key!.properties).map(({ Principal }) => Principal);
  expect(principals).toContainEqual({ Service: { 'Fn::Join': ['', ['logs.cn-north-1.', { Ref: 'AWS::URLSuffix' }]] } });
  expect(JSON.stringify(principals)).not.toContain('logs.cn-north-1.amazonaws.com"');
});
