import { InventoryStack } from './inventory-stack.ts';
import { synthesiseApp } from './synthesis/synthesise.ts';
import type { InventorySettings } from './settings/settings.ts';

/** The whole template with parameters, for these settings of the app. */
function templateWith(settings: InventorySettings = {}): any {
  let template: any;
  synthesiseApp((app, assets) => {
    new InventoryStack(app, 'Accounts', { inventory: { ...settings, assets }, hasParameters: true });
    ({ template } = app.synth().getStackByName('Accounts'));
  });
  return template;
}

const whole = templateWith({ logRetentionDays: 90 });
const of = (type: string): any[] => Object.values<any>(whole.Resources).filter(({ Type }) => Type === type);

test("a parameter has the app's setting or its default, as the value of an account without one", () => {
  // The one of the CDK is that of an account which it has bootstrapped; a published template has none.
  const { BootstrapVersion: _, ...parameters } = whole.Parameters;
  const presets = Object.entries<any>(parameters).map(([name, { Default }]) => [name, Default]);
  expect(Object.fromEntries(presets)).toEqual({
    ...{
      ThrottleRate: '100',
      ThrottleBurst: '200',
      ReportRate: '500',
      LogRetentionDays: '90',
      AuditRetentionDays: '30',
    },
    ...{ AlarmEmail: '', DomainName: '', CertificateArn: '', HostedZoneId: '' },
  });
});

test('numbers are forwarded', () => {
  for (const { Properties } of of('AWS::Logs::LogGroup'))
    expect(Properties.RetentionInDays).toEqual({ Ref: 'LogRetentionDays' });
  const text = JSON.stringify(of('AWS::ApiGateway::Stage'));
  for (const name of ['ThrottleRate', 'ThrottleBurst', 'ReportRate']) expect(text).toContain(`{"Ref":"${name}"}`);
  const variables = of('AWS::Lambda::Function').map(({ Properties }) => Properties.Environment?.Variables);
  expect(
    variables.filter((environment) => environment?.AUDIT_RETENTION_DAYS?.Ref === 'AuditRetentionDays').length,
  ).toBeGreaterThan(50);
});

test('mail, host name and records exist with a value only', () => {
  const [mail] = of('AWS::SNS::Subscription');
  expect(mail).toMatchObject({ Condition: 'HasAlarmEmail', Properties: { Endpoint: { Ref: 'AlarmEmail' } } });
  const [{ Properties }] = of('AWS::CloudFront::Distribution');
  const { Aliases, ViewerCertificate } = Properties.DistributionConfig;
  expect(Aliases).toEqual({ 'Fn::If': ['HasDomainName', [{ Ref: 'DomainName' }], { Ref: 'AWS::NoValue' }] });
  expect(ViewerCertificate['Fn::If'][1]).toMatchObject({ AcmCertificateArn: { Ref: 'CertificateArn' } });
  expect(of('AWS::Route53::RecordSet').map(({ Condition }) => Condition)).toEqual([
    'HasHostedZoneId',
    'HasHostedZoneId',
  ]);
  expect(whole.Outputs.BaseUrl.Value['Fn::If'][0]).toBe('HasDomainName');
});

test.each([{ alarmEmail: 'ops@example.com' }, { domainName: 'inventory.example.com' }])(
  'the setting %j is refused beside its parameter',
  (settings) => expect(() => templateWith(settings)).toThrow('is a parameter of the template'),
);

test('a template without CloudFront has no parameters', () => {
  expect(() => templateWith({ cdn: false })).toThrow('parameters are for templates with cdn=true');
});
