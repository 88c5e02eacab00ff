import { agentGatewayOptions } from '../settings/agent-gateway-options.ts';
import { resourcesOf, statementsIn, synthesise } from '../synthesis/synthesise.ts';

const template = synthesise();
const everything = synthesise({
  customerManagedKey: true,
  waf: true,
  ...agentGatewayOptions,
  removalPolicy: 'destroy',
  alarmEmail: 'someone@example.com',
  provisionedConcurrency: 1,
  subnetIds: ['subnet-0123abcd'],
  securityGroupIds: ['sg-0123abcd'],
});

/** Every permitted wildcard, with the reason. Any other one fails. */
const wildcards: { what: RegExp; where: RegExp; why: string }[] = [
  {
    what: /^dynamodb:ListStreams on "\*"$/,
    where: /^(Events\/publishChanges|Jobs\/continueJobs)\/Rights\/Role\/Resource$/,
    why: 'it has no resource, and Lambda requires it of a reader of a stream',
  },
  {
    what: /^iam:GetRole on .*role\/\*/,
    where: /^GatewayLogs\/gatewayLogRole\/Rights\/Role\/Resource$/,
    why: 'whether the role for the logs of the account exists, whatever its name is',
  },
  {
    what: /^xray:(PutTelemetryRecords|PutTraceSegments) on "\*"$/,
    where: /\/Role\/Resource$/,
    why: 'X-Ray has no resources to name',
  },
  {
    what: /^ec2:(Describe(NetworkInterfaces|Subnets)|(Create|Delete)NetworkInterface|(Una|A)ssignPrivateIpAddresses) on "\*"$/,
    where: /\/Role\/Resource$/,
    why: 'Lambda manages the network interfaces of functions in a VPC',
  },
  {
    what: /^s3:(PutObject|DeleteObject) on .*\/\*/,
    where: /^Site\/Files\/publishSite\/Rights\/Role\/Resource$/,
    why: 'every file of the site, in the one bucket that holds nothing else',
  },
  {
    what: /^s3:(GetObject|ListBucket) on .*\/\*/,
    where: /^Site\/Bucket\/Policy\/Resource$/,
    why: 'CloudFront reads every file of the site',
  },
  {
    what: /^s3:\* on /,
    where: /^Site\/Bucket\/Policy\/Resource$/,
    why: 'a refusal, of everything that comes without TLS',
  },
  {
    what: /^sqs:\* on /,
    where: /^(Events\/Lost|Jobs\/Stuck)\/Policy\/Resource$/,
    why: 'a refusal of sending that comes without TLS',
  },
  {
    what: /^kms:\S+ on "\*"$/,
    where: /^Key\/Resource$/,
    why: 'in the policy of a key, * is that key',
  },
];

test('only listed permissions have a wildcard, each with its reason', () => {
  const used = new Set<string>();
  const usedWildcards = [...resourcesOf(template), ...resourcesOf(everything)].flatMap(({ path, properties }) =>
    statementsIn(properties).flatMap(({ Action, Resource }) =>
      Action.flatMap((action) => Resource.map((resource) => `${action} on ${JSON.stringify(resource)}`))
        .filter((line) => line.includes('*'))
        .filter((line) => {
          const reasons = wildcards.filter(({ what, where }) => what.test(line) && where.test(path));
          for (const { why } of reasons) used.add(why);
          return reasons.length === 0;
        })
        .map((line) => `${path}: ${line}`),
    ),
  );
  expect(usedWildcards).toEqual([]);
  expect([...used].sort()).toEqual(wildcards.map(({ why }) => why).sort());
});
