/** A finding of a scanner that is intended. */
export interface IntendedFinding {
  readonly scanner: 'checkov' | 'parliament';
  /** The check of the scanner, and the type of the resources (checkov) or the actions (parliament) that it is about. */
  readonly finding: string;
  /** The templates that have it. The template `every` has the options of infra/settings/every-option.ts. */
  readonly templates: readonly ('default' | 'every')[];
  readonly reason: string;
}

const both = ['default', 'every'] as const;
const byDefault = ['default'] as const;
const withEveryOption = ['every'] as const;

/** The findings of the scanners that are intended. Findings of cdk-nag are acknowledged beside the resource (infra/). */
export const intendedFindings: readonly IntendedFinding[] = [
  {
    scanner: 'checkov',
    finding: 'CKV_AWS_111 AWS::IAM::Role',
    templates: withEveryOption,
    reason:
      'In a VPC Lambda creates network interfaces, for which EC2 permits no other resource than all (infra/functions/network.ts).',
  },
  {
    scanner: 'checkov',
    finding: 'CKV_AWS_115 AWS::Lambda::Function',
    templates: both,
    reason: 'A reserved concurrency takes instances from all other functions of the account, which may have only 10.',
  },
  {
    scanner: 'checkov',
    finding: 'CKV_AWS_116 AWS::Lambda::Function',
    templates: both,
    reason:
      'The gateway and CloudFormation wait for the reply of a function. Functions that read the stream have a queue for what they cannot process, in their event source mapping.',
  },
  {
    scanner: 'checkov',
    finding: 'CKV_AWS_117 AWS::Lambda::Function',
    templates: byDefault,
    reason: 'The functions call services of AWS only, which are outside of a VPC. A VPC is the setting subnetIds.',
  },
  {
    scanner: 'checkov',
    finding: 'CKV_AWS_120 AWS::ApiGateway::Stage',
    templates: both,
    reason: 'Replies depend on the caller and on the newest change.',
  },
  {
    scanner: 'checkov',
    finding: 'CKV_AWS_149 AWS::SecretsManager::Secret',
    templates: byDefault,
    reason: 'A key of the account is the setting customerManagedKey, which costs 1 USD a month.',
  },
  {
    scanner: 'checkov',
    finding: 'CKV_AWS_158 AWS::Logs::LogGroup',
    templates: byDefault,
    reason:
      'CloudWatch Logs encrypts every log group with its own key. A key of the account is the setting customerManagedKey.',
  },
  {
    scanner: 'checkov',
    finding: 'CKV_AWS_173 AWS::Lambda::Function',
    templates: both,
    reason: 'The environment contains names and the version, and no secret. Lambda encrypts it with a key of its own.',
  },
  {
    scanner: 'checkov',
    finding: 'CKV_AWS_174 AWS::CloudFront::Distribution',
    templates: byDefault,
    reason: 'With its own host name CloudFront determines the TLS versions. With domainName the minimum is TLS 1.2.',
  },
  {
    scanner: 'checkov',
    finding: 'CKV_AWS_18 AWS::S3::Bucket',
    templates: byDefault,
    reason: 'The bucket contains public files, which only CloudFront reads. A log is the setting accessLogBucket.',
  },
  {
    scanner: 'checkov',
    finding: 'CKV_AWS_192 AWS::WAFv2::WebACL',
    templates: withEveryOption,
    reason: 'The rule is for Log4j. No function runs Java.',
  },
  {
    scanner: 'checkov',
    finding: 'CKV_AWS_21 AWS::S3::Bucket',
    templates: both,
    reason: 'Each deployment uploads all files again, from the assets of its version.',
  },
  {
    scanner: 'checkov',
    finding: 'CKV_AWS_26 AWS::SNS::Topic',
    templates: byDefault,
    reason:
      'Alarms cannot publish with the key that AWS manages. A key of the account is the setting customerManagedKey.',
  },
  {
    scanner: 'checkov',
    finding: 'CKV_AWS_27 AWS::SQS::Queue',
    templates: byDefault,
    reason: 'SQS encrypts the queues with its own keys, which checkov does not know as SqsManagedSseEnabled.',
  },
  {
    scanner: 'checkov',
    finding: 'CKV_AWS_65 AWS::ECS::Cluster',
    templates: withEveryOption,
    reason:
      'The containers print their own metrics, with alarms. Container Insights would cost as much as a container.',
  },
  {
    scanner: 'checkov',
    finding: 'CKV_AWS_68 AWS::CloudFront::Distribution',
    templates: both,
    reason: 'AWS WAF (waf=true) protects the stage of the API, which also covers requests that bypass CloudFront.',
  },
  {
    scanner: 'checkov',
    finding: 'CKV_AWS_73 AWS::ApiGateway::Stage',
    templates: both,
    reason:
      'The functions decide what is traced, so that reports of hosts are not (docs/decisions/0026-quotas.md). The gateway passes on traces of callers.',
  },
  {
    scanner: 'checkov',
    finding: 'CKV_AWS_86 AWS::CloudFront::Distribution',
    templates: byDefault,
    reason:
      'The access log of the stage contains every request of the API. A log of the others is the setting accessLogBucket.',
  },
  {
    scanner: 'checkov',
    finding: 'CKV_AWS_91 AWS::ElasticLoadBalancingV2::LoadBalancer',
    templates: withEveryOption,
    reason: 'The log of the gateway contains each connection of an agent, and the access log of the API each call.',
  },
  {
    scanner: 'parliament',
    finding: 'PERMISSIONS_MANAGEMENT_ACTIONS iam:passrole',
    templates: both,
    reason: "The deployment step that sets API Gateway's role for logs passes this one role, and no other.",
  },
  {
    scanner: 'parliament',
    finding: 'RESOURCE_STAR',
    templates: withEveryOption,
    reason: 'The same permissions of Lambda in a VPC.',
  },
];
