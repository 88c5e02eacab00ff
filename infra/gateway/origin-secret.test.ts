import { runInNewContext } from 'node:vm';
import { ORIGIN_HEADER, ORIGIN_VARIABLE, VIEWER_HEADER } from '../../shared/http/source-address.ts';
import { viewerAddressCode } from './origin-secret.ts';
import { resourceAt, resourcesOf, synthesise } from '../synthesis/synthesise.ts';

const template = synthesise({ waf: true });
const { id, properties } = resourceAt(template, 'OriginSecret/Resource');
const reference = {
  'Fn::Join': ['', ['{{resolve:secretsmanager:', { Ref: id }, ':SecretString:::}}']],
};

test('the secret is generated, and the template only refers to it in CloudFront, the gateway and the firewall', () => {
  expect(properties['GenerateSecretString']).toEqual({ ExcludePunctuation: true, PasswordLength: 48 });
  const distribution: any = resourceAt(template, 'Site/Distribution/Resource').properties['DistributionConfig'];
  const headers = distribution.Origins.flatMap(({ OriginCustomHeaders = [] }: any) => OriginCustomHeaders);
  expect(headers).toEqual([{ HeaderName: ORIGIN_HEADER, HeaderValue: reference }]);
  const [stage] = resourcesOf(template, 'AWS::ApiGateway::Stage');
  expect(stage!.properties['Variables']).toEqual({ [ORIGIN_VARIABLE]: reference });
  const users = resourcesOf(template).filter(({ properties: of }) => JSON.stringify(of).includes('resolve:'));
  expect(users.map(({ type }) => type).sort()).toEqual([
    'AWS::ApiGateway::Stage',
    'AWS::CloudFront::Distribution',
    'AWS::WAFv2::WebACL',
  ]);
});

test("CloudFront sets the viewer's address before each API request, whatever the viewer sent", () => {
  const request = { uri: '/v1/nodes', headers: { [VIEWER_HEADER.toLowerCase()]: { value: '198.51.100.1' } } };
  const event = { viewer: { ip: '203.0.113.9' }, request };
  const sent = runInNewContext(`${viewerAddressCode}; handler(event)`, { event });
  expect(sent).toEqual({ uri: '/v1/nodes', headers: { [VIEWER_HEADER.toLowerCase()]: { value: '203.0.113.9' } } });
  const { id: viewer } = resourceAt(template, 'Site/Viewer/Resource');
  const { CacheBehaviors: behaviors }: any = resourceAt(template, 'Site/Distribution/Resource').properties[
    'DistributionConfig'
  ];
  for (const { FunctionAssociations } of behaviors)
    expect(FunctionAssociations).toEqual([
      { EventType: 'viewer-request', FunctionARN: { 'Fn::GetAtt': [viewer, 'FunctionARN'] } },
    ]);
});

test('the firewall counts CloudFront viewers and direct callers by their addresses, and a direct caller cannot pose as CloudFront', () => {
  const [acl] = resourcesOf(template, 'AWS::WAFv2::WebACL');
  const rules: any[] = acl!.properties['Rules'] as any[];
  const [viewers, peers] = rules.map(({ Statement }) => Statement.RateBasedStatement);
  const fromCloudFront = {
    ByteMatchStatement: {
      FieldToMatch: { SingleHeader: { Name: ORIGIN_HEADER.toLowerCase() } },
      PositionalConstraint: 'EXACTLY',
      SearchString: reference,
      TextTransformations: [{ Priority: 0, Type: 'NONE' }],
    },
  };
  expect(viewers).toMatchObject({
    AggregateKeyType: 'FORWARDED_IP',
    ForwardedIPConfig: { HeaderName: VIEWER_HEADER, FallbackBehavior: 'NO_MATCH' },
    ScopeDownStatement: fromCloudFront,
  });
  expect(peers).toMatchObject({
    AggregateKeyType: 'IP',
    ScopeDownStatement: { NotStatement: { Statement: fromCloudFront } },
  });
  expect(rules.slice(0, 2).map(({ Action }) => Action)).toEqual([{ Block: {} }, { Block: {} }]);
  expect(JSON.stringify(rules)).not.toContain('X-Forwarded-For');
});
