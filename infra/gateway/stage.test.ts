import { everyOption } from '../settings/every-option.ts';
import { resourceAt, resourcesOf, synthesise } from '../synthesis/synthesise.ts';

const template = synthesise();

describe('the stage', () => {
  const stage: any = resourcesOf(template, 'AWS::ApiGateway::Stage')[0]!.properties;

  /** Reports, log-ins and calls without credentials cannot use up the rate of each other, or of anybody else. */
  const throttles = [
    ['/~1v1~1readyz', 'GET', 50],
    ['/~1v1~1readyz', 'HEAD', 50],
    ['/~1v1~1logins', 'GET', 50],
    ['/~1v1~1logins', 'HEAD', 50],
    ...['/~1ping', '/~1v1~1server~1readyz', '/~1v1~1server~1leaderHealthCheck', '/~1graph~1api~1health'].flatMap(
      (path) => ['GET', 'HEAD'].map((method) => [path, method, 50]),
    ),
    ['/~1v1~1agents~1{agent_id}~1report', 'POST', 500],
    ['/~1v1~1reports', 'POST', 500],
    ['/~1v1~1opamp', 'POST', 500],
    ['/~1v1~1enrolment', 'POST', 50],
    ['/~1v1~1sessions', 'POST', 10],
    ['/~1v1~1logins', 'POST', 10],
    ['/~1v1~1device-authorizations', 'POST', 10],
    ['/~1v1~1back-channel-logout', 'POST', 10],
  ].map(([ResourcePath, HttpMethod, rate]) => ({
    HttpMethod,
    ResourcePath,
    DataTraceEnabled: false,
    ThrottlingRateLimit: rate,
    ThrottlingBurstLimit: rate,
  }));

  test('is throttled, and never logs requests or replies', () => {
    expect(stage).toMatchObject({ StageName: 'live', TracingEnabled: false });
    expect(stage.MethodSettings).toHaveLength(1 + throttles.length);
    expect(stage.MethodSettings).toEqual(
      expect.arrayContaining([
        {
          HttpMethod: '*',
          ResourcePath: '/*',
          DataTraceEnabled: false,
          ThrottlingRateLimit: 100,
          ThrottlingBurstLimit: 200,
        },
        ...throttles,
      ]),
    );
  });

  // API Gateway applies a method's settings instead of the common ones, so each must be 0.
  test.each([
    ['with every option', everyOption],
    ['without CloudFront', { cdn: false, stateEvents: true }],
  ])('of a closed API accepts no request by any method, and nothing runs on a schedule: %s', (_, settings) => {
    const closed = synthesise({ ...settings, closed: true });
    const open = synthesise(settings);
    const methodsOf = (of: typeof template): any[] =>
      resourcesOf(of, 'AWS::ApiGateway::Stage').flatMap(({ properties }: any) => properties.MethodSettings);
    const named = ({ ResourcePath, HttpMethod }: any) => `${HttpMethod} ${ResourcePath}`;
    expect(methodsOf(closed).map(named)).toEqual(methodsOf(open).map(named));
    expect(methodsOf(closed).map(named)).toContain('* /*');
    for (const limits of methodsOf(closed))
      expect(limits).toMatchObject({ ThrottlingRateLimit: 0, ThrottlingBurstLimit: 0 });
    for (const limits of methodsOf(open)) expect(limits.ThrottlingRateLimit).toBeGreaterThan(0);
    const rules = (of: typeof template) =>
      resourcesOf(of, 'AWS::Events::Rule').map(({ properties }) => properties['State']);
    expect(rules(open).length).toBeGreaterThanOrEqual(2);
    expect(rules(open)).toEqual(rules(open).map(() => 'ENABLED'));
    expect(rules(closed)).toEqual(rules(open).map(() => 'DISABLED'));
  });

  test('logs named fields, none of which can contain a credential, a query or client text', () => {
    const fields: Record<string, string> = JSON.parse(
      // A number is without quotes.
      stage.AccessLogSetting.Format.replace(/:(\$[\w.]+)/g, ':"$1"'),
    );
    expect(Object.keys(fields)).toContain('request_id');
    expect(stage.AccessLogSetting.Format).toContain('"latency_ms":$context.responseLatency,');
    for (const variable of Object.values(fields))
      expect(variable).not.toMatch(
        /header|query|override|context\.path$|userAgent|context\.requestId$|messageString|identity\.(?!sourceIp$)/i,
      );
  });

  test('is made after the account has a log role', () => {
    const { dependsOn } = resourcesOf(template, 'AWS::ApiGateway::Stage')[0]!;
    expect(dependsOn).toContain(resourceAt(template, 'GatewayLogs/Ensured/Default').id);
    expect(resourcesOf(template, 'AWS::ApiGateway::Account')).toEqual([]);
    expect(resourceAt(template, 'GatewayLogs/Role/Resource').deletionPolicy).toBe('Retain');
  });
});

test('functions decide what is traced: all except those for reports and the authorizer, which every host calls', () => {
  const modeOf = ({ properties }: any) => properties.TracingConfig.Mode;
  const untraced = resourcesOf(template, 'AWS::Lambda::Function')
    .filter((lambda) => modeOf(lambda) !== 'Active')
    .map((lambda) => [lambda.path.replace('/Function/Resource', ''), modeOf(lambda)]);
  expect(untraced.sort()).toEqual([
    ['Functions/authorizer', 'PassThrough'],
    ['Functions/opamp', 'PassThrough'],
    ['Functions/reportAgents', 'PassThrough'],
    ['Functions/takeReports', 'PassThrough'],
  ]);
  expect(resourcesOf(template).filter(({ type }) => type.startsWith('AWS::XRay::'))).toEqual([]);
});
