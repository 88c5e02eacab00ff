import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { buildConsoleWhenStale } from '../../console/build-when-stale.ts';
import { otherApiPaths } from '../../functions/facades.ts';
import { siteRoots } from '../assets/site-roots.ts';
import { staticFile } from '../../shared/http/static-files.ts';
import { siteHeaders } from '../../shared/http/site-headers.ts';
import { stageSite } from '../assets/stage-site.ts';
import { pagesCode } from './browser-headers.ts';
import {
  resourceAt,
  resourcesOf,
  type Statement,
  statementsIn,
  synthesise,
  type Template,
} from '../synthesis/synthesise.ts';

const template = synthesise();
const distributionOf = (of: Template): any =>
  resourceAt(of, 'Site/Distribution/Resource').properties['DistributionConfig'];
const distribution = distributionOf(template);
const [api] = distribution.CacheBehaviors;
const page = distribution.DefaultCacheBehavior;

describe('before the API', () => {
  test('nothing is cached, and all methods and headers except Host pass', () => {
    const patterns = ({ CacheBehaviors }: any) => CacheBehaviors.map(({ PathPattern }: any) => PathPattern);
    expect(patterns(distribution)).toEqual(['/v1/*', ...otherApiPaths]);
    expect(patterns(distributionOf(synthesise({ pmmCompatibility: false })))).toEqual(['/v1/*']);
    for (const { PathPattern: _, ...other } of distribution.CacheBehaviors) expect(api).toMatchObject(other);
    expect(api).toMatchObject({
      PathPattern: '/v1/*',
      // Managed policies CachingDisabled and AllViewerExceptHostHeader.
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      // A redirect would come after the credentials were sent without encryption.
      ViewerProtocolPolicy: 'https-only',
    });
    expect([...api.AllowedMethods].sort()).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);
  });

  test('requests go to the stage, by TLS 1.2', () => {
    const origin = distribution.Origins.find(({ Id }: { Id: string }) => Id === api.TargetOriginId);
    expect(origin.CustomOriginConfig).toMatchObject({
      OriginProtocolPolicy: 'https-only',
      OriginSSLProtocols: ['TLSv1.2'],
    });
    expect(JSON.stringify(origin.OriginPath)).toContain(resourcesOf(template, 'AWS::ApiGateway::Stage')[0]!.id);
  });

  test("the API's errors are neither cached nor replaced by a page", () => {
    expect(distribution.CustomErrorResponses).toEqual(
      [404, 414, 500, 501, 502, 503, 504].map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
    );
  });
});

describe('pages', () => {
  /** The function of CloudFront for an event, with its source, as CloudFront finds it. */
  const functionFor = (event: string): any => {
    const { FunctionARN } = page.FunctionAssociations.find(({ EventType }: any) => EventType === event);
    return resourcesOf(template, 'AWS::CloudFront::Function').find(({ id }) => id === FunctionARN['Fn::GetAtt'][0])!
      .properties;
  };

  test("have only the local server's headers from the function", () => {
    const { FunctionCode: code, FunctionConfig: config } = functionFor('viewer-response');
    const context = { eventType: 'viewer-response' };
    const event = { context, response: { statusCode: 200, headers: { 'x-frame-options': { value: 'SAMEORIGIN' } } } };
    const { headers } = runInNewContext(`${code}; handler(event)`, { event });
    const expected = Object.entries(siteHeaders).map(([name, value]) => [name.toLowerCase(), { value }]);
    expect(JSON.parse(JSON.stringify(headers))).toEqual(Object.fromEntries(expected));
    expect(config).toMatchObject({ Runtime: 'cloudfront-js-2.0' });
    expect(Buffer.byteLength(code)).toBeLessThan(10_240);
    expect(code).not.toMatch(/\?\.|\?\?|\bimport\b|\bexport\b|\bfor\b|(const|let) [[{]|: (string|ViewerResponse)/);
  });

  test("and the API require HTTPS by an AWS managed policy, so that the account's stacks share its quota of 20", () => {
    // SecurityHeadersPolicy: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-response-headers-policies.html
    for (const behavior of [page, api])
      expect(behavior.ResponseHeadersPolicyId).toBe('67f7725c-6f97-4210-82d7-5512b31e9d03');
  });

  test('are read only, and redirected to HTTPS', () => {
    expect(page).toMatchObject({ ViewerProtocolPolicy: 'redirect-to-https', AllowedMethods: ['GET', 'HEAD'] });
  });
});

test('the bucket is private, encrypted, and read by this distribution only, with TLS', () => {
  const { id, properties } = resourceAt(template, 'Site/Bucket/Resource');
  expect(properties).toMatchObject({
    PublicAccessBlockConfiguration: {
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    },
    BucketEncryption: {
      ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
    },
  });
  expect(properties).not.toHaveProperty('WebsiteConfiguration');
  const statements = statementsIn(resourceAt(template, 'Site/Bucket/Policy/Resource').properties);
  const of = (effect: string): Statement[] => statements.filter(({ Effect }) => Effect === effect);
  expect(of('Deny')).toMatchObject([{ Action: ['s3:*'], Condition: { Bool: { 'aws:SecureTransport': 'false' } } }]);
  expect(
    of('Allow')
      .flatMap(({ Action }) => Action)
      .sort(),
  ).toEqual(['s3:GetObject', 's3:ListBucket']);
  const distributionId = resourceAt(template, 'Site/Distribution/Resource').id;
  for (const { Principal, Condition, Resource } of of('Allow')) {
    expect(Principal).toEqual({ Service: 'cloudfront.amazonaws.com' });
    expect(JSON.stringify(Condition)).toContain('AWS:SourceArn');
    expect(JSON.stringify(Condition)).toContain(distributionId);
    expect(JSON.stringify(Resource)).toContain(id);
  }
  expect(resourcesOf(template, 'AWS::CloudFront::OriginAccessControl')[0]!.properties).toMatchObject({
    OriginAccessControlConfig: { SigningBehavior: 'always', OriginAccessControlOriginType: 's3' },
  });
});

test('a custom host name has TLS 1.2 at least, and its records', () => {
  const other = synthesise({
    domainName: 'inventory.example.com',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/abc',
    hostedZoneId: 'Z0123456789',
  });
  expect(distributionOf(other)).toMatchObject({
    Aliases: ['inventory.example.com'],
    ViewerCertificate: { MinimumProtocolVersion: 'TLSv1.2_2021', SslSupportMethod: 'sni-only' },
  });
  expect(
    resourcesOf(other, 'AWS::Route53::RecordSet').map(({ properties }) => [properties['Type'], properties['Name']]),
  ).toEqual([
    ['A', 'inventory.example.com.'],
    ['AAAA', 'inventory.example.com.'],
  ]);
  expect(other.Outputs['BaseUrl']!.Value).toBe('https://inventory.example.com');
});

describe("a URL's file", () => {
  /** Runs the source as CloudFront does, without anything else in scope. */
  const asked = (uri: string): any =>
    runInNewContext(`${pagesCode}; handler(event)`, {
      event: { context: { eventType: 'viewer-request' }, request: { uri } },
    });

  test.each([
    ['/', '/index.html'],
    ['/swagger/', '/swagger/index.html'],
    ['/swagger/openapi.json', '/swagger/openapi.json'],
    ['/unknown', '/unknown'],
    ['/..//', '/..//index.html'],
  ])('%s -> %s', (uri, file) => expect(asked(uri).uri).toBe(file));

  test('a folder without a slash is redirected', () => {
    expect(asked('/swagger')).toMatchObject({ statusCode: 301, headers: { location: { value: '/swagger/' } } });
  });

  test("the function fits CloudFront's size and JavaScript", () => {
    const { properties } = resourceAt(template, 'Site/Paths/Resource');
    expect(properties).toMatchObject({ FunctionCode: pagesCode, FunctionConfig: { Runtime: 'cloudfront-js-2.0' } });
    expect(Buffer.byteLength(pagesCode)).toBeLessThan(10_240);
    // No optional chaining, no ??, no modules, no remaining types.
    expect(pagesCode).not.toMatch(/\?\.|\?\?|\bimport\b|\bexport\b|: (string|ViewerRequest)/);
  });
});

describe('files of the site', () => {
  let folder: string;
  let files: string[];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'site-'));
    await buildConsoleWhenStale();
    await stageSite(folder);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('equal those of the local server with the same types', async () => {
    expect(files).toContain('/swagger/index.html');
    for (const file of files) {
      const { status, body } = await staticFile(siteRoots, file);
      expect([file, status, body.equals(await readFile(join(folder, file)))]).toEqual([file, 200, true]);
    }
  });

  test('are all that the API browser requests', async () => {
    const html = await readFile(join(folder, 'swagger', 'index.html'), 'utf8');
    const asked = [...html.matchAll(/(?:src|href)="([^":]*[^":/])"/g)].map(([, name]) => join('/swagger', name!));
    expect(asked.length).toBeGreaterThan(2);
    for (const file of asked) expect(files).toContain(file);
  });

  test('contain nothing for developers: no source maps, package.json or notes', () => {
    expect(files.filter((file) => /\.map$|package\.json$|\.md$|\/\./.test(file))).toEqual([]);
  });
});

test('changed files are published again, and removed only with the bucket', () => {
  const published = (of: Template) => resourceAt(of, 'Site/Files/Published/Default');
  expect(published(template).properties).toMatchObject({
    ServiceToken: { 'Fn::GetAtt': [resourceAt(template, 'Site/Files/publishSite/Function/Resource').id, 'Arn'] },
    BucketName: { Ref: resourceAt(template, 'Site/Bucket/Resource').id },
    Version: expect.stringMatching(/^[0-9a-f]{32,}$/),
  });
  expect(resourceAt(template, 'Site/Bucket/Resource').deletionPolicy).toBe('Delete');
});
