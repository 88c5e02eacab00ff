import type { RestApiBase } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { shortName } from './names.ts';

/**
 * Rules that only count. Every endpoint validates its JSON body. An inventory contains many addresses and URLs that
 * look like attacks, and bodies may exceed the 8 KB that the rules permit (an import has up to 2 MB). Paths may end
 * with a name, which is free text, such as `db.ini` or 300 percent-encoded letters of nine bytes each. Clients without
 * a User-Agent are permitted.
 * https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-baseline.html
 */
const COUNTED_RULES = [
  'NoUserAgent_HEADER',
  'SizeRestrictions_BODY',
  'EC2MetaDataSSRF_BODY',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
  'CrossSiteScripting_BODY',
  'SizeRestrictions_URIPATH',
  'RestrictedExtensions_URIPATH',
  'GenericLFI_URIPATH',
  'GenericRFI_URIPATH',
  'CrossSiteScripting_URIPATH',
];

function visibility(metricName: string) {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}

export interface FirewallProps {
  readonly api: RestApiBase;
  /** Within five minutes; more are refused. */
  readonly requestsPerAddress: number;
}

/**
 * AWS WAF on the API's stage, where it also filters requests that bypass CloudFront. For refused requests, the gateway
 * replies in our format (WAF_FILTERED). Requests are not sampled, because samples contain headers.
 */
export class Firewall extends Construct {
  constructor(scope: Construct, id: string, { api, requestsPerAddress }: FirewallProps) {
    super(scope, id);
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visibility(shortName('firewall')),
      rules: [
        {
          name: 'requests-per-address',
          priority: 0,
          action: { block: {} },
          statement: {
            rateBasedStatement: {
              limit: requestsPerAddress,
              evaluationWindowSec: 300,
              // Behind CloudFront, the sender is CloudFront. A client that bypasses it can forge the header, so this
              // limit only affects careless clients. The stage's throttle applies to all.
              aggregateKeyType: 'FORWARDED_IP',
              forwardedIpConfig: { headerName: 'X-Forwarded-For', fallbackBehavior: 'NO_MATCH' },
            },
          },
          visibilityConfig: visibility('requests-per-address'),
        },
        {
          name: 'common',
          priority: 1,
          overrideAction: { none: {} },
          statement: {
            managedRuleGroupStatement: {
              vendorName: 'AWS',
              name: 'AWSManagedRulesCommonRuleSet',
              ruleActionOverrides: COUNTED_RULES.map((name) => ({ name, actionToUse: { count: {} } })),
            },
          },
          visibilityConfig: visibility('common'),
        },
      ],
    });
    new CfnWebACLAssociation(this, 'Association', {
      resourceArn: api.deploymentStage.stageArn,
      webAclArn: acl.attrArn,
    });
  }
}
